import type { WalletScan } from '../../modules/chains/wallet-scan.types.js';
import type { Recovery } from '../../modules/chains/wallets/wallet-recovery.service.js';

/** Atoms are text in JSON, as everywhere. */
export function scanJson({ used, ...scan }: WalletScan) {
  return {
    ...scan,
    used: used.map(({ holdings, ...one }) => ({
      ...one,
      holdings: holdings.map(({ asset, atoms }) => ({ asset, atoms: atoms.toString() })),
    })),
  };
}

/** One key: where it goes on, and money at its indexes that no quote knows. */
export function sayRecovery(recovery: Recovery, sentences: readonly string[]): string {
  const { merchantId, networks, extendedKeyId, before, after, scan } = recovery;
  const moved = before === after ? `next index ${after}, as before` : `next index ${before} → ${after}`;
  const head = `${merchantId} (${networks.join(', ')}), key ${extendedKeyId}: ${moved}\n`;
  const found = scan.used.map(({ index, network, address, holdings, isNamed }) => {
    const held =
      holdings.map(({ asset, atoms }) => `${atoms} atoms of ${asset}`).join(', ') || 'nothing any more';
    const whose = isNamed ? 'named here as a payout or own address, so never issued' : 'known to no quote';
    return `  index ${index}, ${address} on ${network}, ${whose}: holds ${held}\n`;
  });
  return [head, ...found, ...sentences.map((sentence) => `  ${sentence}\n`)].join('');
}
