import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import {
  accountXpub,
  createMerchant,
  evmNetwork,
  MERCHANT,
  startChains,
} from '../../chain/chains-fixture.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';

const BLOCK_INTERVAL_S = 12;
/** A node that is busy takes seconds for so many. */
const MINED_AT_ONCE = 200;
const ADDRESSES_PER_REQUEST = 500;

/**
 * A whole round of the comparison with the chain, at no pace, over addresses that were issued all along the chain's life
 * and never paid: how many requests it needs, and how long they and the comparing take.
 */
export async function reconcile(stage: Stage): Promise<Row[]> {
  const [addresses, blocks] = stage.quick ? [2_000, 2_000] : [100_000, 10_000];
  const { url } = await stage.database();
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  for (let mined = 0; mined < blocks; mined += MINED_AT_ONCE) {
    await anvil.testClient.mine({
      blocks: Math.min(MINED_AT_ONCE, blocks - mined),
      interval: BLOCK_INTERVAL_S,
    });
  }
  const assets = [
    { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 1n },
    { symbol: 'USDC', decimals: 6, contract: anvil.tokens.USDC.address, dustAtoms: 1n },
    { symbol: 'USDT', decimals: 6, contract: anvil.tokens.USDT.address, dustAtoms: 1n },
  ];
  const chains = await startChains(url, [evmNetwork(anvil.rpcUrl, assets)]);
  stage.onClear(() => chains.app.close());
  await createMerchant(chains.dataSource);
  const [first, last] = await Promise.all([
    anvil.testClient.getBlock({ blockNumber: 0n }),
    anvil.testClient.getBlock(),
  ]);
  const issued = [addresses, Number(first.timestamp), Number(last.timestamp), accountXpub(), MERCHANT];
  await chains.dataSource.query(
    `WITH key AS (
       INSERT INTO extended_key (id, merchant_id, family, xpub, key_material, next_index)
       VALUES ('xk_bench', $5, 'evm', $4, 'bench', $1::int)
     )
     INSERT INTO address (family, address, extended_key_id, derivation_index, subject, created_at)
     SELECT 'evm', '0x' || left(encode(sha256(i::text::bytea), 'hex'), 40), 'xk_bench', i, 'pi_' || i,
            to_timestamp($2::float8 + ($3::float8 - $2::float8) * i / $1::float8)
       FROM generate_series(0, $1::int - 1) i`,
    issued,
  );
  await chains.dataSource.query(
    `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
     VALUES ('ethereum', $1, $2, now(), $1, $1, $1, now())`,
    [Number(last.number), last.hash],
  );
  await chains.dataSource.query(
    'INSERT INTO chain_block (network, height, hash) SELECT network, height, hash FROM chain_cursor',
  );
  const service = chains.app.get(ReconciliationService, { strict: false });
  const [requests, tookMs, aloneMs]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < stage.repeats; i += 1) {
    const startedMs = performance.now();
    const [verdict] = await service.check();
    tookMs.push(performance.now() - startedMs);
    if (verdict?.verdict !== 'clean' || verdict.compared !== addresses)
      throw new Error(`the round ended with ${JSON.stringify(verdict, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}`); // prettier-ignore
    requests.push(verdict.requests);
    aloneMs.push(await asked(anvil, verdict.requests));
  }
  const least = Math.ceil(addresses / ADDRESSES_PER_REQUEST) * assets.length;
  return [
    {
      name: 'reconcile, requests a round',
      unit: 'requests',
      values: requests,
      ceiling: { what: 'one for each 500 addresses and asset', values: [least] },
    },
    {
      name: 'reconcile, a round without a pace',
      unit: 'ms',
      values: tookMs,
      ceiling: { what: 'as many requests for the newest block', values: aloneMs },
    },
  ];
}

/** @returns how long the node takes for so many of the cheapest questions, one after the other */
async function asked({ testClient }: TestAnvil, requests: number): Promise<number> {
  const startedMs = performance.now();
  for (let i = 0; i < requests; i += 1) await testClient.getBlock();
  return performance.now() - startedMs;
}
