// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Token {
    function balanceOf(address holder) external view returns (uint256);
    // Returns nothing here, so that what a token answers is not looked at: USDT answers nothing, others the wrong thing.
    function transfer(address to, uint256 amount) external;
}

/// The code that every deposit address runs by DELEGATECALL. It pays what lies on the address to the destination that
/// stands at the end of the address's own code, whoever calls.
contract Forwarder {
    /// Tokens log their own transfers; without this, only a node with traces could tell that coin was collected.
    event Collected(uint256 amount);

    /// @param token the ERC-20's contract, or zero for the chain's own coin
    /// @param most pays less than there is, for tokens that refuse the whole at once
    function collect(address token, uint256 most) external {
        address destination;
        assembly {
            // Of the 71 bytes that ForwarderFactory wrote, the last 20 into the low end of a word of zeros.
            mstore(0, 0)
            extcodecopy(address(), 12, 51, 20)
            destination := mload(0)
        }
        uint256 amount = token == address(0) ? address(this).balance : Token(token).balanceOf(address(this));
        if (amount > most) amount = most;
        if (amount == 0) return;
        if (token == address(0)) {
            (bool paid, ) = destination.call{ value: amount }("");
            require(paid);
            emit Collected(amount);
        } else {
            Token(token).transfer(destination, amount);
        }
    }
}
