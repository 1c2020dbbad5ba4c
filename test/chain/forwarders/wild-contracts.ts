import { compileSource } from '../contracts.js';

/** What a token does when it is told to transfer; its number is the position. */
export const TOKEN_MODES = [
  'plain',
  'answersNothing',
  'falseAndMoves',
  'falseAndStays',
  'reverts',
  'burnsGasWhenFrozen',
  'longAnswer',
  'limit',
  'fee',
  'feeOnTop',
  'reentersDeposit',
  'reentersFactory',
] as const;
export type TokenMode = (typeof TOKEN_MODES)[number];

/** What a destination that is a contract does when coin comes. */
export const WALLET_MODES = [
  'accepts',
  'refuses',
  'burnsAllGas',
  'reentersDeposit',
  'reentersFactory',
] as const;
export type WalletMode = (typeof WALLET_MODES)[number];

/** The most that a token moves at once in the mode `limit`. */
export const LIMIT = 100n;

const SOURCE = `
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.20;

  interface Deposit { function collect(address token, uint256 most) external; }

  contract Wild {
    address public factory;
    uint256 public mode;
    bool internal inside;
    /// What the factory is called with on re-entry, for each destination.
    mapping(address => bytes) internal again;

    constructor(address factory_) { factory = factory_; }
    function set(uint256 mode_) external { mode = mode_; }
    function prepare(address destination, bytes calldata data) external { again[destination] = data; }
    function reenter(address asset, address destination, bool throughFactory) internal {
      inside = true;
      // That it fails is one of the cases.
      if (throughFactory) { (bool ok, ) = factory.call(again[destination]); ok; }
      else try Deposit(msg.sender).collect(asset, type(uint256).max) {} catch {}
      inside = false;
    }
  }

  contract Token is Wild {
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public frozen;
    constructor(address factory_) Wild(factory_) {}
    function freeze(address holder, bool frozen_) external { frozen[holder] = frozen_; }
    function mint(address to, uint256 amount) external { balanceOf[to] += amount; }

    function transfer(address to, uint256 amount) external {
      uint256 m = inside ? 0 : mode;
      if (m == 5 && frozen[msg.sender]) assembly { invalid() }
      require(!frozen[msg.sender]);
      if (m == 3) answer(32, 0);
      require(m != 4);
      if (m == 7) require(amount <= 100);
      if (m >= 10) {
        reenter(address(this), to, m == 11);
        if (amount > balanceOf[msg.sender]) amount = balanceOf[msg.sender];
      }
      uint256 fee = m == 8 || m == 9 ? amount / 10 : 0;
      balanceOf[msg.sender] -= m == 9 ? amount + fee : amount;
      balanceOf[to] += m == 8 ? amount - fee : amount;
      balanceOf[address(this)] += fee;
      if (m == 1) answer(0, 0);
      if (m == 2) answer(32, 0);
      if (m == 6) answer(50000, 1);
      answer(32, 1);
    }
    function answer(uint256 length, uint256 word) private pure {
      assembly { mstore(0x80, word) return(0x80, length) }
    }
  }

  contract Wallet is Wild {
    constructor(address factory_) Wild(factory_) {}
    receive() external payable {
      if (inside) return;
      require(mode != 1);
      if (mode == 2) assembly { invalid() }
      if (mode >= 3) reenter(address(0), address(this), mode == 4);
    }
  }

  contract Payer {
    function stipend(address payable to) external payable { to.transfer(msg.value); }
    function inner(address payable to) external payable {
      (bool paid, ) = to.call{value: msg.value}("");
      require(paid);
    }
    function destroy(address payable to) external payable { new Remains{value: msg.value}(to); }
  }
  contract Remains { constructor(address payable to) payable { selfdestruct(to); } }

  contract Reader {
    function balances(address[] calldata holders, Token[] calldata tokens) external view returns (uint256[] memory all) {
      all = new uint256[](holders.length * (tokens.length + 1));
      for (uint256 i = 0; i < holders.length; i++) {
        all[i] = holders[i].balance;
        for (uint256 t = 0; t < tokens.length; t++) all[(t + 1) * holders.length + i] = tokens[t].balanceOf(holders[i]);
      }
    }
    function addresses(Factory factory, address[] calldata to, bytes32[] calldata salts) external view returns (address[] memory all) {
      all = new address[](to.length);
      for (uint256 i = 0; i < to.length; i++) all[i] = factory.addressOf(to[i], salts[i]);
    }
  }
  interface Factory { function addressOf(address destination, bytes32 salt) external view returns (address); }`;

export const compileWild = () => {
  const { Token, Wallet, Payer, Reader } = compileSource(SOURCE);
  return { token: Token!, wallet: Wallet!, payer: Payer!, reader: Reader! };
};
