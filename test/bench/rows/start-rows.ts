import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProductionProcess } from '../../support/service/production.js';
import { runtime } from '../runtime.js';
import { METRICS_TOKEN, SERVICE_CORE, Stage } from '../stage.js';
import type { Row } from '../table.js';
import { goingChain } from '../waiting-pages.js';

const NETWORK = {
  id: 'dev',
  name: 'Dev',
  chainId: 31337,
  blockIntervalS: 1,
  safeAfterS: 4,
  finalizedAfterS: 8,
  assets: [{ symbol: 'ETH', decimals: 18 }],
};

/** As the image starts it, on a migrated database and with one network: how soon it is ready, and what it holds then. */
export async function start(stage: Stage): Promise<Row[]> {
  const { url } = await stage.database();
  const anvil = await goingChain(stage);
  const folder = mkdtempSync(join(tmpdir(), 'rappen-bench-'));
  stage.onClear(() => rmSync(folder, { recursive: true }));
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify([{ ...NETWORK, rpcUrl: anvil.rpcUrl }]));
  const env = { DATABASE_URL: url, NETWORKS_FILE: networks, METRICS_TOKEN };
  const service = await ProductionProcess.create(env, Stage.coreOf(SERVICE_CORE));
  stage.onClear(() => service.dispose());
  const [readyMs, kB]: [number[], number[]] = [[], []];
  for (let i = 0; i < stage.repeats; i += 1) {
    const startedMs = performance.now();
    await service.start();
    readyMs.push(performance.now() - startedMs);
    kB.push((await runtime(`http://127.0.0.1:${service.port}`)).residentBytes / 1_024);
    await service.stop();
  }
  return [
    { name: 'ready in production', unit: 'ms', values: readyMs, ceiling: null },
    { name: 'resident when ready', unit: 'kB', values: kB, ceiling: null },
  ];
}
