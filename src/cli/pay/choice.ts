import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import type { Choice } from './checkout-client.js';

type Networks = SandboxFile['networks'];

interface Wish {
  readonly asset?: string;
  readonly network?: string;
}

interface Picked {
  readonly asset: string | null;
  readonly network: string | null;
}

/**
 * What to pick: as told, else as it was picked, else USDC. An asset alone names the first network that has it.
 * @throws when the sandbox has no such asset or network
 */
export function chosen(wish: Wish, picked: Picked, networks: Networks): Choice {
  const offers = offersOf(networks);
  const assetsOn = (network: string) => offers.get(network) ?? [];
  const network = wish.network ?? networkWith(wish.asset ?? picked.asset ?? 'USDC', picked.network, offers);
  if (!network || !offers.has(network)) {
    throw new Error(`The sandbox has no ${wish.network ?? wish.asset}. It offers: ${describe(offers)}.`);
  }
  const kept = picked.network === network ? picked.asset : null;
  const common = assetsOn(network).includes('USDC') ? 'USDC' : assetsOn(network)[0];
  const asset = wish.asset ?? kept ?? common ?? '';
  if (!assetsOn(network).includes(asset)) {
    throw new Error(`There is no ${asset} on ${network}. The sandbox offers: ${describe(offers)}.`);
  }
  return { asset, network };
}

type Offers = ReadonlyMap<string, readonly string[]>;

function offersOf({ ethereum, polygon, litecoin, bitcoin }: Networks): Offers {
  return new Map([
    ['ethereum', [ethereum.coin, ...Object.keys(ethereum.tokens)]],
    ['polygon', [polygon.coin, ...Object.keys(polygon.tokens)]],
    ...(litecoin ? [['litecoin', [litecoin.asset]] as const] : []),
    ...(bitcoin ? [['bitcoin', [bitcoin.asset]] as const] : []),
  ]);
}

function networkWith(asset: string, picked: string | null, offers: Offers): string | undefined {
  if (picked !== null && offers.get(picked)?.includes(asset)) return picked;
  return [...offers].find(([, assets]) => assets.includes(asset))?.[0];
}

function describe(offers: Offers): string {
  return [...offers].map(([network, assets]) => `${assets.join(', ')} on ${network}`).join('; ');
}
