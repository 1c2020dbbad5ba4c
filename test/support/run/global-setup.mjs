import { register } from 'node:module';

export default async function globalSetup() {
  register('./typescript-loader.mjs', import.meta.url);
  const { startCluster } = await import('../database/cluster.js');
  globalThis.__rappenStopCluster = await startCluster(false);
}
