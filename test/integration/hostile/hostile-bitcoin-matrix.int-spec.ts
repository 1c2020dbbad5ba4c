import { BITCOIN_CALLS, bitcoinMatrix } from '../../chain/bitcoin-matrix.js';
import { BitcoinStage } from '../../chain/bitcoin-stage.js';
import { ROW_MS, rowsOf, sufferRow } from '../../chain/hostile-matrix.js';
import { describeOnNode } from '../../support/litecoind.js';

/** As hostile-evm-matrix.int-spec.ts, with a mempool. */
const COLUMNS_OF_EACH = 2;

describeOnNode('own-nodes')('a Bitcoin-like node', () => {
  let stage: BitcoinStage;

  beforeAll(async () => {
    stage = await BitcoinStage.start();
  });
  // What is recorded is compared with every block of the chain, at the pace that a hosted node allows.
  afterAll(() => stage?.stop(), 600_000);

  it.each(rowsOf(BITCOIN_CALLS, bitcoinMatrix(), COLUMNS_OF_EACH))(
    '$call: no fault loses or invents money, hides it in silence, or makes it deeper than it is',
    async (row) => expect(await sufferRow(stage, row)).toEqual([]),
    ROW_MS,
  );
});
