import { BITCOIN_CALLS, bitcoinMatrix } from '../../chain/hostile/bitcoin-matrix.js';
import { BitcoinStage } from '../../chain/hostile/bitcoin-stage.js';
import {
  ROW_MS,
  rowsOf,
  rowsOfTwo,
  Stages,
  type Standing,
  sufferRow,
} from '../../chain/hostile/hostile-matrix.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';

/** As hostile-evm-matrix.int-spec.ts, with a mempool. */
const COLUMNS_OF_EACH = 2;
const COLUMNS_OF_TWO = 1;

describeOnNode('own-nodes')('a Bitcoin-like node', () => {
  const stages = new Stages<Standing, BitcoinStage>((node) => BitcoinStage.start(node));
  // What is recorded is compared with every block of the chain, at the pace that a hosted node allows.
  afterAll(() => stages.stop(), 600_000);

  const alone = rowsOf(BITCOIN_CALLS, bitcoinMatrix(), COLUMNS_OF_EACH);
  const rows = [
    ...alone.map((row) => ({ ...row, node: 'alone' as const })),
    ...rowsOfTwo(rowsOf(BITCOIN_CALLS, bitcoinMatrix(), COLUMNS_OF_TWO)),
  ];

  it.each(rows)(
    '$call, of a node that is $node: no fault loses or invents money, hides it in silence, or makes it deeper than it is',
    async ({ node, ...row }) => expect(await sufferRow(await stages.of(node), row)).toEqual([]),
    ROW_MS,
  );
});
