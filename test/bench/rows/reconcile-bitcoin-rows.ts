import { createHash } from 'node:crypto';
import { addressOfScript } from '../../../src/modules/chains/domain/addresses/segwit-address.js';
import { bitcoinNetwork } from '../../../src/modules/chains/domain/bitcoin-network.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { createMerchant, MERCHANT, startChains } from '../../chain/chains-fixture.js';
import { TestNode } from '../../support/nodes/litecoind.js';
import { vpubOf } from '../../support/nodes/wallet.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';

const MINED_AT_ONCE = 50;
/** As many as one look through the unspent outputs is asked for. */
const ADDRESSES_PER_LOOK = 10_000;

/**
 * A whole round on a Bitcoin-like network, at no pace, over addresses that were never paid: every block, read once, and the set
 * of unspent outputs, looked through once for each ten thousand addresses. Blocks of a regtest are all but empty, so what a
 * full block costs to read is the node's and is not in it.
 */
export async function reconcileBitcoin(stage: Stage): Promise<Row[]> {
  const [addresses, blocks] = stage.quick ? [2_000, 200] : [100_000, 10_000];
  const { url } = await stage.database();
  const node = await TestNode.start({ own: true });
  stage.onClear(() => node.stop());
  for (let mined = 0; mined < blocks; mined += MINED_AT_ONCE) await node.mine(MINED_AT_ONCE);
  const network = testNetwork(node.rpcUrl);
  const { family, id, prefix } = bitcoinNetwork(network);
  const chains = await startChains(url, [network]);
  stage.onClear(() => chains.app.close());
  await createMerchant(chains.dataSource);
  const keyHash = (i: number) => createHash('sha256').update(String(i)).digest('hex').slice(0, 40);
  const issued = Array.from({ length: addresses }, (_, i) => addressOfScript(prefix, `0014${keyHash(i)}`)!);
  await chains.dataSource.query(
    `WITH key AS (
       INSERT INTO extended_key (id, merchant_id, family, xpub, key_material, next_index)
       VALUES ('xk_bench', $3, $1, $4, 'bench', cardinality($2::text[]))
     )
     INSERT INTO address (family, address, extended_key_id, derivation_index, subject, created_at)
     SELECT $1, address, 'xk_bench', i - 1, 'pi_' || i, now() - interval '1 year'
       FROM unnest($2::text[]) WITH ORDINALITY AS issued (address, i)`,
    [family, issued, MERCHANT, vpubOf(url)],
  );
  const height = await node.height();
  const hash = await node.rpc.call<string>('getblockhash', height);
  await chains.dataSource.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     VALUES ($1, $2, $3, now(), $2, $2, $2, now())`,
    [id, height, hash],
  );
  const service = chains.app.get(ReconciliationService, { strict: false });
  const [requests, tookMs, aloneMs]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < stage.repeats; i += 1) {
    const startedMs = performance.now();
    const [verdict] = await service.check();
    tookMs.push(performance.now() - startedMs);
    if (verdict?.verdict !== 'clean' || verdict.compared !== addresses)
      throw new Error(`the round ended with ${verdict?.verdict}: ${verdict?.reason}`);
    requests.push(verdict.requests);
    aloneMs.push(await asked(node, verdict.requests));
  }
  return [
    {
      name: 'reconcile, Bitcoin-like, requests a round',
      unit: 'requests',
      values: requests,
      ceiling: {
        what: 'one for each block and 10,000 addresses',
        values: [height + 1 + Math.ceil(addresses / ADDRESSES_PER_LOOK)],
      },
    },
    {
      name: 'reconcile, Bitcoin-like, a round without a pace',
      unit: 'ms',
      values: tookMs,
      ceiling: { what: 'as many requests for the best hash', values: aloneMs },
    },
  ];
}

/** @returns how long the node takes for so many of the cheapest questions, one after the other */
async function asked({ rpc }: TestNode, requests: number): Promise<number> {
  const startedMs = performance.now();
  for (let i = 0; i < requests; i += 1) await rpc.call('getbestblockhash');
  return performance.now() - startedMs;
}
