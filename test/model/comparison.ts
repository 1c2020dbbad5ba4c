import type { Term } from '../../src/modules/chains/data/fenced.statement.js';
import { LedgerRepository } from '../../src/modules/chains/data/ledger.repository.js';
import { BitcoinReconciler } from '../../src/modules/chains/reconciliation/bitcoin-reconciler.js';
import { ReconciliationRepository } from '../../src/modules/chains/reconciliation/data/reconciliation.repository.js';
import { AgreedBalances } from '../../src/modules/chains/reconciliation/evm/agreed-balances.js';
import { EvmReconciler } from '../../src/modules/chains/reconciliation/evm/reconciler.js';
import { Refusals } from '../../src/modules/chains/reconciliation/evm/refusals.js';
import { Pace } from '../../src/modules/chains/reconciliation/pace.js';
import { ReconciliationService } from '../../src/modules/chains/reconciliation/reconciliation.service.js';
import type { Reconciler } from '../../src/modules/chains/reconciliation/reconciliation.types.js';
import type { ScriptedBitcoin } from './nodes/scripted-bitcoin.js';
import type { ScriptedEvm } from './nodes/scripted-evm.js';
import { ScriptedHistory, ScriptedOutputs } from './nodes/scripted-history.js';
import type { Stage } from './stage.js';

const FAST = 1_000_000;
const ADDRESSES_AT_ONCE = 100;

/** The service's own comparison of what is recorded with the chain, a whole round of it, now. */
export async function compareWithChain(
  stage: Stage,
  term: Term,
  chain: ScriptedEvm | ScriptedBitcoin,
): Promise<void> {
  const service = stage.app.get(ReconciliationService, { strict: false });
  await stage.dataSource.query('DELETE FROM reconciliation WHERE network = $1', [term.network]);
  // It makes one that asks the configured node; everything else about it is the service's.
  Reflect.set(service, 'reconciler', () => reconcilerOn(stage, chain));
  while (await service.step(term));
}

function reconcilerOn({ app, networks }: Stage, chain: ScriptedEvm | ScriptedBitcoin): Reconciler {
  const ledger = app.get(LedgerRepository, { strict: false });
  const pace = new Pace(FAST);
  // To derive the addresses that nobody was given takes longer than a life; they have a suite of their own.
  const repository = Object.create(app.get(ReconciliationRepository, { strict: false }), {
    unissued: { value: () => Promise.resolve([]) },
  }) as ReconciliationRepository;
  if ('pool' in chain) {
    return new BitcoinReconciler(
      networks.bitcoin,
      chain,
      new ScriptedOutputs(chain),
      pace,
      ledger,
      repository,
    );
  }
  const history = new ScriptedHistory(chain, pace);
  const both = { node: chain, balances: new AgreedBalances(history, null) };
  return new EvmReconciler(
    networks.ethereum,
    history,
    both,
    pace,
    ledger,
    repository,
    ADDRESSES_AT_ONCE,
    new Refusals(),
  );
}
