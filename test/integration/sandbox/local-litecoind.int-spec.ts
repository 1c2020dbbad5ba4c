import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fundBuyer } from '../../../src/modules/sandbox/local/coins/coin-miner.js';
import { startNode } from '../../../src/modules/sandbox/local/coins/litecoind.js';
import { fingerprint } from '../../../src/modules/sandbox/local/processes.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';
import { rpc } from '../../support/nodes/node-rpc.js';

describeOnNode('own-nodes')('the local litecoind', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'rappen-litecoind-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('makes the buyer rich once, past the block where its extension blocks would begin, and keeps the chain', async () => {
    const first = await startNode({ coin: 'litecoin', dataDir });
    const wallet = await fundBuyer(first.rpcUrl);
    expect(await rpc<number>(wallet, 'getbalance')).toBeGreaterThan(12_500);
    const height = await rpc<number>(first.rpcUrl, 'getblockcount');
    expect(height).toBe(560);
    await first.stop();
    const second = await startNode({ coin: 'litecoin', dataDir });
    await fundBuyer(second.rpcUrl);
    expect(await rpc<number>(second.rpcUrl, 'getblockcount')).toBe(height);
    await second.stop();
  });

  it('that a killed sandbox left behind is stopped before another one starts on its data', async () => {
    const left = await startNode({ coin: 'litecoin', dataDir });
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'node.pid.json'), 'utf8')) as { pid: number };
    const identity = fingerprint(pid);
    expect(identity).toContain('litecoind');
    const next = await startNode({ coin: 'litecoin', dataDir });
    expect(fingerprint(pid)).not.toBe(identity);
    expect(await rpc<number>(next.rpcUrl, 'getblockcount')).toBe(0);
    await next.stop();
    await left.stop();
  });
});
