import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

const SOURCE = `
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.20;

  interface Token {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
  }

  /// Pays whatever it holds: the same transaction pays another amount where other blocks came before it.
  contract Till {
    function empty(Token token, address to) external { token.transfer(to, token.balanceOf(address(this))); }
    function empty(address payable to) external { to.transfer(address(this).balance); }
    receive() external payable {}
  }

  /// Pays two in an order that another transaction may turn.
  contract Turner {
    bool public turned;
    function turn() external { turned = !turned; }
    function pay(address payable a, address payable b, uint256 toA, uint256 toB) external payable {
      if (turned) b.transfer(toB);
      a.transfer(toA);
      if (!turned) b.transfer(toB);
    }
  }

  /// What an exchange's batched withdrawal looks like: many transfers in one transaction.
  contract Disperse {
    function disperse(Token token, address[] calldata to, uint256[] calldata values) external {
      for (uint256 i = 0; i < to.length; i++) require(token.transferFrom(msg.sender, to[i], values[i]));
    }
  }

  /// Pays coin the way that smart wallets and exchanges do: by calls inside a transaction.
  contract Payout {
    function pay(address payable[] calldata to, uint256[] calldata values) external payable {
      for (uint256 i = 0; i < to.length; i++) {
        (bool paid, ) = to[i].call{value: values[i]}("");
        require(paid);
      }
    }
    function payThrough(Payout other, address payable[] calldata to, uint256[] calldata values) external payable {
      other.pay{value: msg.value}(to, values);
    }
    function payAndFail(address payable to) external payable {
      to.transfer(msg.value);
      revert();
    }
    /// Succeeds although what it paid was taken back.
    function fail(address payable to) external payable {
      try this.payAndFail{value: msg.value}(to) {} catch {}
    }
    function destroy(address payable to) external payable { new Remains{value: msg.value}(to); }
  }
  contract Remains { constructor(address payable to) payable { selfdestruct(to); } }

  /// Calls itself USDC and announces transfers that never happened.
  contract LyingToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function lie(address to, uint256 value) external { emit Transfer(msg.sender, to, value); }
  }

  /// Keeps a hundredth of whatever is sent.
  contract FeeToken {
    mapping(address => uint256) public balanceOf;
    address private immutable owner = msg.sender;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() { balanceOf[msg.sender] = 1e30; }
    function transfer(address to, uint256 value) external returns (bool) {
      uint256 fee = value / 100;
      balanceOf[msg.sender] -= value;
      balanceOf[to] += value - fee;
      balanceOf[owner] += fee;
      emit Transfer(msg.sender, to, value - fee);
      emit Transfer(msg.sender, owner, fee);
      return true;
    }
  }

  /// As those of USDC and USDT can, its issuer keeps single holders from sending.
  contract FreezingToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public frozen;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() { balanceOf[msg.sender] = 1e30; }
    function freeze(address holder, bool frozen_) external { frozen[holder] = frozen_; }
    function transfer(address to, uint256 value) external returns (bool) {
      require(!frozen[msg.sender]);
      balanceOf[msg.sender] -= value;
      balanceOf[to] += value;
      emit Transfer(msg.sender, to, value);
      return true;
    }
  }`;

export interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface SolcOutput {
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
  readonly contracts: { test: Record<string, { abi: Abi; evm: { bytecode: { object: string } } }> };
}

/** The contracts of these specs. */
export function compileContracts(): Record<
  'disperse' | 'payout' | 'till' | 'turner' | 'lyingToken' | 'feeToken' | 'freezingToken',
  Compiled
> {
  const { Disperse, Payout, Till, Turner, LyingToken, FeeToken, FreezingToken } = compileSource(SOURCE);
  const coin = { payout: Payout!, till: Till!, turner: Turner! };
  const tokens = { lyingToken: LyingToken!, feeToken: FeeToken!, freezingToken: FreezingToken! };
  return { ...coin, ...tokens, disperse: Disperse! };
}

const COMPILED = join(import.meta.dirname, '../../.data/contracts');

/**
 * The compiler takes two seconds and 300 MB of each worker that loads it, for sources that hardly ever change.
 * @returns each contract of a source by its name
 */
export function compileSource(source: string): Record<string, Compiled> {
  const settings = {
    evmVersion: 'paris',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const input = JSON.stringify({ language: 'Solidity', sources: { test: { content: source } }, settings });
  const output = JSON.parse(compiled(input)) as SolcOutput;
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  return Object.fromEntries(
    Object.entries(output.contracts.test).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}

/** What the compiler answers to this, now or in an earlier run. */
function compiled(input: string): string {
  const { version } = load('solc/package.json') as { version: string };
  const file = join(COMPILED, createHash('sha256').update(version).update(input).digest('hex'));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const output = (load('solc') as { compile(input: string): string }).compile(input);
  mkdirSync(COMPILED, { recursive: true });
  // Whole or not there, whoever else writes it at the same time.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, output);
  renameSync(own, file);
  return output;
}

const load = createRequire(import.meta.url);
