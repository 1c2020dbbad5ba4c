import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalAnvil, startAnvil } from '../../../src/modules/sandbox/local/evm/anvil.js';
import { saveState } from '../../../src/modules/sandbox/local/evm/anvil-state.js';
import { anvilAccount, deployTokens } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { fingerprint, waitUntil } from '../../../src/modules/sandbox/local/processes.js';
import { rpc } from '../../support/nodes/node-rpc.js';

type Block = { hash: string; number: string } | null;

const STRANGER = '0x00000000000000000000000000000000000a11ce';
const balance = ({ rpcUrl }: LocalAnvil): Promise<string> =>
  rpc(rpcUrl, 'eth_getBalance', [STRANGER, 'latest']);
const block = ({ rpcUrl }: LocalAnvil, which: string): Promise<Block> =>
  rpc(rpcUrl, 'eth_getBlockByNumber', [which, false]);
const height = async (anvil: LocalAnvil): Promise<number> => Number((await block(anvil, 'latest'))?.number);

const savedAt = (stateFile: string): number => statSync(stateFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Resolves when the file has been replaced once more, however long a busy machine takes. */
async function nextSave(stateFile: string): Promise<void> {
  const last = savedAt(stateFile);
  await until(() => Promise.resolve(savedAt(stateFile) !== last));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

const reach = (anvil: LocalAnvil, wanted: number): Promise<void> =>
  until(async () => (await height(anvil)) >= wanted);

/** Resolves when the payment is in a block. */
async function pay(anvil: LocalAnvil, value: string): Promise<void> {
  await rpc(anvil.rpcUrl, 'eth_sendTransaction', [{ from: anvilAccount(1).address, to: STRANGER, value }]);
  await until(async () => (await balance(anvil)) === value);
}

describe('startAnvil with a state file', () => {
  const options = { blockTimeS: 0.2, slotsInAnEpoch: 2 };
  let folder: string;
  let stateFile: string;
  let running: LocalAnvil[];

  const start = async (): Promise<LocalAnvil> => {
    const anvil = await startAnvil({ ...options, stateFile });
    running.push(anvil);
    return anvil;
  };
  const pid = (): number => (JSON.parse(readFileSync(`${stateFile}.pid`, 'utf8')) as { pid: number }).pid;
  const kill = async (): Promise<void> => {
    const killed = pid();
    process.kill(killed, 'SIGKILL');
    await waitUntil(() => fingerprint(killed) === undefined, 20_000);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rappen anvil-'));
    stateFile = join(folder, 'chain', 'state.gz');
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((anvil) => anvil.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps balances, heights and old block hashes over a kill -9', async () => {
    const before = await start();
    await pay(before, '0x7');
    const old = await block(before, '0x1');
    expect(old).not.toBeNull();
    const reached = await height(before);
    // The save after the one that is under way now holds all that has happened so far.
    await nextSave(stateFile);
    await nextSave(stateFile);
    await kill();
    const after = await start();
    expect(await balance(after)).toBe('0x7');
    expect(await height(after)).toBeGreaterThanOrEqual(reached);
    expect(await block(after, '0x1')).toEqual(old);
    await reach(after, (await height(after)) + 2);
  });

  it('loses nothing when it is stopped properly', async () => {
    const before = await start();
    await pay(before, '0x7');
    const old = await block(before, 'latest');
    expect(old).not.toBeNull();
    await before.stop();
    const after = await start();
    expect(await balance(after)).toBe('0x7');
    expect(await block(after, old?.number ?? '')).toEqual(old);
  });

  it.each(['cut short', 'emptied', 'full of noise'])(
    'starts from the copy before a state that is %s',
    async (how) => {
      const before = await start();
      await pay(before, '0x7');
      await saveState(before.rpcUrl, stateFile);
      await before.stop();
      if (how === 'cut short') truncateSync(stateFile, 1_000);
      if (how === 'emptied') truncateSync(stateFile, 0);
      if (how === 'full of noise') writeFileSync(stateFile, 'x'.repeat(5_000));
      expect(await balance(await start())).toBe('0x7');
    },
  );

  it('saves and stops an anvil whose parent was killed', async () => {
    const orphan = await start();
    const orphanPid = pid();
    await pay(orphan, '0x7');
    // Nothing was saved in so short a time but by the take-over.
    const after = await start();
    expect(fingerprint(orphanPid)).toBeUndefined();
    expect(await balance(after)).toBe('0x7');
  });

  it('answers for the safe and finalized tags, also after a restart', async () => {
    const before = await start();
    await reach(before, 6);
    await before.stop();
    const after = await start();
    const tags = ['latest', 'safe', 'finalized'];
    const [latest, safe, finalized] = await after.miner!.whilePaused(() =>
      Promise.all(tags.map(async (tag) => Number((await block(after, tag))?.number))),
    );
    expect(latest).toBeGreaterThan(4);
    expect([safe, finalized]).toEqual([Number(latest) - 2, Number(latest) - 4]);
  });
});

it('forgets the states of old blocks while blocks come by themselves: each costs memory', async () => {
  const anvil = await startAnvil({ blockTimeS: 1, historyBlocks: 8 });
  try {
    await reach(anvil, 1);
    const stateOf = (height: number) =>
      rpc<string>(anvil.rpcUrl, 'eth_getBalance', [STRANGER, `0x${height.toString(16)}`]);
    expect(await stateOf(1)).toBe('0x0');
    await rpc(anvil.rpcUrl, 'anvil_mine', ['0x40']);
    await expect(stateOf(1)).rejects.toThrow();
    expect(await stateOf(await height(anvil))).toBe('0x0');
  } finally {
    await anvil.stop();
  }
});

describe('deployTokens', () => {
  it('gives every account a million of each, at the same addresses however often it runs', async () => {
    const anvil = await startAnvil();
    await pay(anvil, '0x1');
    const tokens = await deployTokens(anvil.rpcUrl);
    const height = await rpc<string>(anvil.rpcUrl, 'eth_blockNumber');
    expect(await deployTokens(anvil.rpcUrl)).toEqual(tokens);
    expect(await rpc<string>(anvil.rpcUrl, 'eth_blockNumber')).toBe(height);
    const accounts = await rpc<string[]>(anvil.rpcUrl, 'eth_accounts');
    expect(accounts).toHaveLength(10);
    for (const { address } of Object.values(tokens)) {
      for (const account of accounts) {
        const data = `0x70a08231${account.slice(2).padStart(64, '0')}`;
        const held = await rpc<string>(anvil.rpcUrl, 'eth_call', [{ to: address, data }, 'latest']);
        expect(BigInt(held)).toBe(1_000_000_000_000n);
      }
    }
    await anvil.stop();
  });
});
