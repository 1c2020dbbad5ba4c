// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Passes on what it is sent, as a smart wallet or an exchange's batch does: the value reaches the receiver by an
/// internal call, so no transaction names it.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent, "the receiver refused it");
    }
}
