import { EVM_CALLS, evmMatrix, TIMED_CALLS, taglessMatrix } from '../../chain/evm-matrix.js';
import { EvmStage } from '../../chain/evm-stage.js';
import { ROW_MS, rowsOf, sufferRow } from '../../chain/hostile-matrix.js';

/** Each call of the watcher with each fault, at each moment in the life of a payment. */
const COLUMNS_OF_EACH = 2;

const stages: Partial<Record<'knows' | 'lacks', EvmStage>> = {};

beforeAll(async () => {
  stages.knows = await EvmStage.start();
  stages.lacks = await EvmStage.start(true);
});
afterAll(() => Promise.all(Object.values(stages).map((stage) => stage.stop())));

const rows = [
  ...rowsOf(EVM_CALLS, evmMatrix(), COLUMNS_OF_EACH).map((row) => ({ ...row, node: 'knows' as const })),
  ...rowsOf(TIMED_CALLS, taglessMatrix(), COLUMNS_OF_EACH).map((row) => ({ ...row, node: 'lacks' as const })),
];

it.each(rows)(
  '$call, of a node that $node tags: no fault loses or invents money, hides it in silence, or makes a block final',
  async ({ node, ...row }) => expect(await sufferRow(stages[node]!, row)).toEqual([]),
  ROW_MS,
);
