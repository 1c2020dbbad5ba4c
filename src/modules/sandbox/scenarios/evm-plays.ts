import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, keccak256 } from 'viem';
import type { EvmBuyer } from '../buyers/evm-buyer.service.js';
import { sharedPlays } from './shared-plays.js';
import { isConfirmed, isFailed, isOutOfChain, type Plays, type Stage } from './stage.js';

/** Of an asset that was not asked for. */
const OTHER_UNITS = 25n;
const LOOK_EVERY_MS = 100;

export interface EvmPlaces {
  readonly buyer: EvmBuyer;
  /** The other local chain, on which the same address exists. */
  readonly elsewhere: { readonly network: string; readonly buyer: EvmBuyer };
}

export function evmPlays(stage: Stage, { buyer, elsewhere }: EvmPlaces): Plays {
  const { address: to, asset, missing } = stage;
  const payment = { to, asset, atoms: missing };
  const sendOther = async (from: EvmBuyer, network: string, other: string) => {
    const atoms = OTHER_UNITS * 10n ** BigInt(from.decimalsOf(other));
    const hash = await from.pay({ to, asset: other, atoms });
    stage.say(`Sent ${OTHER_UNITS} ${other} on ${network}: ${hash}`);
  };
  return {
    ...sharedPlays(stage, {
      pay: (atoms) => buyer.pay({ ...payment, atoms }),
      after: (end) => after(buyer, end),
    }),
    'wrong-token': () => sendOther(buyer, stage.network, otherAsset(buyer, asset)),
    'wrong-network': () =>
      sendOther(elsewhere.buyer, elsewhere.network, sameAsset(buyer, asset, elsewhere.buyer)),
    replaced: () =>
      buyer.whilePaused(async () => {
        const nonce = await buyer.nextNonce();
        const hash = await buyer.broadcast(await buyer.sign(payment, nonce));
        const other = await buyer.broadcast(await buyer.signNothing(nonce));
        stage.say(`Sent ${hash} and, with the same nonce, ${other}, which pays nobody.`);
      }),
    'fee-bump': () =>
      buyer.whilePaused(async () => {
        const nonce = await buyer.nextNonce();
        const hash = await buyer.broadcast(await buyer.sign(payment, nonce));
        const other = await buyer.broadcast(await buyer.sign(payment, nonce, 3n));
        stage.say(`Sent ${hash} and, with the same nonce and a higher fee, ${other}, which pays the same.`);
      }),
    reorg: () =>
      buyer.whilePaused(async () => {
        const { hash, signed } = await payAndConfirm(stage, buyer);
        await buyer.dropLastBlock();
        await stage.until('the payment is missed', isOutOfChain(hash));
        stage.say('Replaced its block by an empty one.');
        await buyer.broadcast(signed);
        stage.say('Sent the same transaction again.');
      }),
    'reorg-lost': async () => {
      await buyer.whilePaused(async () => {
        const { nonce } = await payAndConfirm(stage, buyer);
        await stage.endWindow();
        await buyer.dropLastBlock();
        stage.say('Replaced its block by an empty one.');
        const other = await buyer.broadcast(await buyer.signNothing(nonce));
        stage.say(`Used its nonce for ${other}, which pays nobody.`);
      });
      await stage.until('the payment has failed', isFailed);
    },
    internal: async () => {
      const hash = await buyer.payThroughContract(payment);
      stage.say(`Sent ${stage.amountText(missing)} through a contract on ${stage.network}: ${hash}`);
    },
  };
}

async function payAndConfirm(
  stage: Stage,
  buyer: EvmBuyer,
): Promise<{ hash: Hex; signed: Hex; nonce: number }> {
  const { address: to, asset, missing: atoms } = stage;
  const nonce = await buyer.nextNonce();
  const signed = await buyer.sign({ to, asset, atoms }, nonce);
  await buyer.broadcast(signed);
  await buyer.mine();
  stage.say(`Sent ${stage.amountText(atoms)} on ${stage.network}: ${keccak256(signed)}`);
  await stage.until('the payment is confirmed', isConfirmed);
  return { hash: keccak256(signed), signed, nonce };
}

/** A token where one is left, because that is the common mistake; else the coin. */
function otherAsset(buyer: EvmBuyer, asset: string): string {
  const others = buyer.assets.filter((symbol) => symbol !== asset);
  return others.find((symbol) => symbol !== buyer.chain.coin) ?? others[0] ?? asset;
}

/** What a wallet sends that is set to another network: its coin for the coin, the same token, or the one it has. */
function sameAsset(buyer: EvmBuyer, asset: string, elsewhere: EvmBuyer): string {
  if (asset === buyer.chain.coin) return elsewhere.chain.coin;
  return elsewhere.assets.includes(asset) ? asset : 'USDC';
}

/** A block may be stamped with the second in which it is mined, so that second has to be over. */
async function after(buyer: EvmBuyer, end: Date): Promise<void> {
  while ((await buyer.chainTime()) <= end) await sleep(LOOK_EVERY_MS);
}
