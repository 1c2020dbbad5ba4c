import { get } from 'node:http';
import { startTestAnvil, type TestAnvil } from '../support/nodes/anvil.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import type { Stage } from './stage.js';

/** What a drawing of a QR code has, whatever it says. */
const CODE = '<path class="qr-dark" d="M';

/**
 * A chain that goes on. A network whose newest block is a minute old counts as stuck, and half a minute later as unseen: buyers get no
 * address then, and the pages of those who have one do not show it.
 */
export async function goingChain(stage: Stage): Promise<TestAnvil> {
  const anvil = await startTestAnvil({ blockTimeS: 1 });
  stage.onClear(() => anvil.stop());
  return anvil;
}

/**
 * That a page asks its buyer for money and shows the code. The payment is `initiated` on others too, which are smaller and sooner made.
 * @throws Error if it is another page
 */
export async function mustWait(
  { checkoutUrl }: Pick<ServiceProcess, 'checkoutUrl'>,
  id: string,
): Promise<void> {
  const address = `${checkoutUrl}/pay/${id}`;
  const response = await fetch(address);
  const html = await response.text();
  const state = /<main [^>]*data-state="([^"]*)"/.exec(html)?.[1];
  if (state === 'waiting' && html.includes(CODE)) return;
  throw new Error(
    `${address} is not the page of a buyer who is to pay: ${response.status}, ${state ?? 'no state'}, ${html.includes(CODE) ? 'with' : 'without'} a code`,
  );
}

/** What a browser gets that takes compressed pages, as it comes. */
export function compressedPage(address: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        if (response.headers['content-encoding'] === 'gzip') resolve(Buffer.concat(chunks));
        else reject(new Error(`${address} was not compressed`));
      });
    }).on('error', reject);
  });
}
