import { type Address, getAddress, numberToHex } from 'viem';
import {
  ANYBODY,
  type Call,
  COIN,
  collectAll,
  deployFactory,
  depositOf,
  PAYER,
  saltOf,
  send,
  transfer,
} from '../chain/forwarders/collecting.js';
import { startTestAnvil, type TestAnvil } from '../support/nodes/anvil.js';
import { rpc } from '../support/nodes/node-rpc.js';

const COUNTS = [1, 10, 100, 300];
const DESTINATION = getAddress(`0x${'d5'.repeat(20)}`);

/** `npm run contracts:gas`: gas for each address, the whole of the transactions divided by the addresses. */
export async function main(): Promise<void> {
  const anvil = await startTestAnvil();
  try {
    await anvil.testClient.setAutomine(true);
    await deployFactory(anvil.rpcUrl);
    await anvil.testClient.setAutomine(false);
    const token = anvil.tokens.USDC.address;
    // The destination has both by then, as a merchant's wallet has.
    await send(anvil.rpcUrl, PAYER, { to: DESTINATION, value: 1n });
    await send(anvil.rpcUrl, PAYER, transfer(token, DESTINATION, 1n));
    process.stdout.write(
      '| Asset | Addresses | First time | Again | Fund and transfer |\n|---|--:|--:|--:|--:|\n',
    );
    for (const [name, asset] of [
      ['token', token],
      ['coin', COIN],
    ] as const) {
      for (const count of COUNTS) {
        const figures = await figuresOf(anvil, asset, count);
        const cells = figures.map((gas) => gas.toLocaleString('en-US'));
        process.stdout.write(`| ${[name, count, ...cells].join(' | ')} |\n`);
      }
    }
  } finally {
    await anvil.stop();
  }
}

async function figuresOf(anvil: TestAnvil, asset: Address, count: number): Promise<number[]> {
  const unique = (asset === COIN ? 2_000 : 1_000) + count;
  const salts = Array.from({ length: count }, (_, i) => saltOf(unique * 1_000 + i));
  const deposits = salts.map((salt) => depositOf(DESTINATION, salt));
  const collect = { ...collectAll(DESTINATION, asset, salts), gas: 29_000_000 };
  const perAddress = (gas: number) => Math.round(gas / count);
  const fill = async (addresses: readonly Address[]) => {
    for (const deposit of addresses) await spend(anvil, PAYER, paying(asset, deposit));
  };
  await fill(deposits);
  const first = await spend(anvil, ANYBODY, collect);
  await fill(deposits);
  const again = await spend(anvil, ANYBODY, collect);
  const accounts = salts.map((salt) => getAddress(`0x${salt.slice(-40)}`));
  return [perAddress(first), perAddress(again), perAddress(await fundAndTransfer(anvil, asset, accounts))];
}

const paying = (asset: Address, to: Address): Call =>
  asset === COIN ? { to, value: 1_000n } : transfer(asset, to, 1_000n);

/** From accounts with keys: coin for the gas to each, and from each its tokens. Coin needs no funding. */
async function fundAndTransfer(anvil: TestAnvil, asset: Address, accounts: readonly Address[]) {
  let gas = 0;
  for (const account of accounts) {
    if (asset !== COIN) {
      await spend(anvil, PAYER, paying(asset, account));
      gas += await spend(anvil, PAYER, { to: account, value: 10n ** 16n });
    } else {
      await spend(anvil, PAYER, { to: account, value: 10n ** 18n });
    }
    await rpc(anvil.rpcUrl, 'anvil_impersonateAccount', [account]);
    gas += await spend(anvil, account, { ...paying(asset, DESTINATION), gas: 100_000 });
  }
  return gas;
}

async function spend(anvil: TestAnvil, from: Address, call: Call): Promise<number> {
  const { status, gasUsed } = await send(anvil.rpcUrl, from, call);
  if (status !== (numberToHex(1) as string)) throw new Error(`A transaction to ${call.to} failed.`);
  return Number(gasUsed);
}
