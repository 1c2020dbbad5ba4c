import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stablePort } from '../../support/servers/ports.js';
import { eventually } from '../../support/servers/receiver.js';

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi.json');
const PACKAGE = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');

export interface Prism {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Prism as a proxy between a client and the service: what either of them says that is not in the committed
 * contract is answered by an error of Prism's (`urn:stoplight:…` or `https://stoplight.io/…`) in its place.
 */
export async function startPrism(upstream: string): Promise<Prism> {
  const port = await stablePort();
  const args = ['proxy', DOCUMENT, upstream, '--errors', '--cors', 'false', '-p', String(port)];
  const program = join(PACKAGE, '../dist/index.js');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(
    () => said,
    (text) => text.includes('Prism is listening') || child.exitCode !== null,
    60_000,
  );
  if (child.exitCode !== null) throw new Error(`Prism did not start: ${said}`);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}
