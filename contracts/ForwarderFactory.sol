// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import { Forwarder } from "./Forwarder.sol";

/// Deposit addresses without keys. No owner, no fee, no upgrade, no storage, and no money of its own.
contract ForwarderFactory {
    /// What one address may use: a token that burns all the gas it gets must not burn the other addresses'.
    uint256 private constant GAS_EACH = 200_000;
    /// So much that 63/64 of it, which is what a call can pass on, are GAS_EACH and what the call itself costs.
    uint256 private constant GAS_NEEDED = 210_000;

    /// The code of every deposit address.
    Forwarder public immutable forwarder = new Forwarder();

    /// @return where the money for this destination and salt goes, whether anything is deployed there or not
    function addressOf(address destination, bytes32 salt) external view returns (address) {
        return locate(salt, keccak256(initCode(destination)));
    }

    /// Pays all that lies on these addresses to their destination. One that fails holds up no other.
    /// @param token the ERC-20's contract, or zero for the chain's own coin
    function collect(address destination, address token, bytes32[] calldata salts) external {
        bytes memory code = initCode(destination);
        bytes32 codeHash = keccak256(code);
        for (uint256 i = 0; i < salts.length; i++) {
            bytes32 salt = salts[i];
            address deposit = locate(salt, codeHash);
            if (deposit.code.length == 0) {
                assembly {
                    pop(create2(0, add(code, 32), mload(code), salt))
                }
            }
            // With less, an address could fail for want of gas alone, and wallets would estimate that little.
            require(gasleft() > GAS_NEEDED);
            try Forwarder(deposit).collect{ gas: GAS_EACH }(token, type(uint256).max) {} catch {}
        }
    }

    function locate(bytes32 salt, bytes32 codeHash) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", this, salt, codeHash)))));
    }

    /// A minimal proxy (ERC-1167) that lets coin in before it does anything else, and ends with its destination.
    function initCode(address destination) private view returns (bytes memory) {
        return
            abi.encodePacked(
                // Returns the 71 bytes that follow, as the code.
                hex"60473d8160093d39f3",
                // Without call data coin has come: stop. 15 gas, because some senders give no more than 2,300.
                hex"36600557005b",
                // ERC-1167: run the forwarder with the call data, return or revert with what it answers.
                hex"363d3d373d3d3d363d73",
                forwarder,
                hex"5af43d82803e903d91603157fd5bf3",
                destination
            );
    }
}
