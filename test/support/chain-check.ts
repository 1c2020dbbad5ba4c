import type { INestApplicationContext } from '@nestjs/common';
import { ReconciliationService } from '../../src/modules/chains/reconciliation.service.js';

/**
 * What the chains hold is what is recorded, as far as the nodes can tell: for the end of a suite.
 * @throws Error naming the differences
 */
export async function expectChainClean(app: INestApplicationContext, network?: string): Promise<void> {
  const verdicts = await app.get(ReconciliationService, { strict: false }).check(network);
  for (const { network: id, verdict, reason, differences } of verdicts) {
    if (verdict === 'unasked') throw new Error(`${id} was not compared with its chain: ${reason}`);
    expect({ network: id, differences }).toEqual({ network: id, differences: [] });
  }
}
