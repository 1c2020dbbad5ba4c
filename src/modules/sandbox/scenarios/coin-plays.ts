import type { CoinBuyer } from '../buyers/coin-buyer.service.js';
import { sharedPlays } from './shared-plays.js';
import { isConfirmed, isFailed, isOutOfChain, lists, listsNot, type Plays, type Stage } from './stage.js';

export function coinPlays(stage: Stage, buyer: CoinBuyer): Plays {
  const payment = { to: stage.address, atoms: stage.missing };
  return {
    ...sharedPlays(stage, {
      pay: (atoms) => buyer.pay({ ...payment, atoms }),
      // What is not in the mempool before the end is first seen after it.
      after: () => Promise.resolve(),
    }),
    replaced: async () => {
      const txid = await replaceInMempool(stage, buyer, null);
      await stage.until('the payment is gone', listsNot(txid));
    },
    'fee-bump': async () => {
      await replaceInMempool(stage, buyer, payment);
    },
    reorg: () =>
      buyer.whilePaused(async () => {
        const { txid } = await buyer.payReplaceably(payment);
        const block = await confirm(stage, buyer, txid);
        await buyer.dropLastBlock(block);
        stage.say('Replaced its block by an empty one.');
        await stage.until('the payment is out of its block', isOutOfChain(txid));
        stage.say('It waits in the mempool for the next block.');
      }),
    'reorg-lost': async () => {
      await buyer.whilePaused(async () => {
        const first = await buyer.payReplaceably(payment);
        const block = await confirm(stage, buyer, first.txid);
        await stage.endWindow();
        await buyer.dropLastBlock(block);
        stage.say('Replaced its block by an empty one.');
        stage.say(`Spent the same coins to another address: ${await buyer.replace(first, null)}`);
      });
      await stage.until('the payment has failed', isFailed);
    },
  };
}

/** @returns the id of the transaction that was replaced */
async function replaceInMempool(
  stage: Stage,
  buyer: CoinBuyer,
  by: { readonly to: string; readonly atoms: bigint } | null,
): Promise<string> {
  return buyer.whilePaused(async () => {
    const first = await buyer.payReplaceably({ to: stage.address, atoms: stage.missing });
    stage.say(`Sent ${stage.amountText(stage.missing)} on ${stage.network}: ${first.txid}`);
    await stage.until('the payment is seen', lists(first.txid));
    const to = by ? 'to the same address' : 'to another address';
    stage.say(`Replaced it by one with a higher fee ${to}: ${await buyer.replace(first, by)}`);
    return first.txid;
  });
}

/** @returns the hash of the block that includes it */
async function confirm(stage: Stage, buyer: CoinBuyer, txid: string): Promise<string> {
  stage.say(`Sent ${stage.amountText(stage.missing)} on ${stage.network}: ${txid}`);
  const block = await buyer.mine();
  await stage.until('the payment is confirmed', isConfirmed);
  return block;
}
