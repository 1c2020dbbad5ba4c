import { EVM_CALLS, evmMatrix } from '../chain/evm-matrix.js';
import { EvmStage } from '../chain/evm-stage.js';
import { ROW_MS, rowsOf, sufferRow } from '../chain/hostile-matrix.js';

/** Each call of the watcher with each fault, at each moment in the life of a payment. */
const COLUMNS_OF_EACH = 2;

let stage: EvmStage;

beforeAll(async () => {
  stage = await EvmStage.start();
});
afterAll(() => stage?.stop());

it.each(rowsOf(EVM_CALLS, evmMatrix(), COLUMNS_OF_EACH))(
  '$call: no fault loses or invents money, hides it in silence, or makes a block final',
  async (row) => expect(await sufferRow(stage, row)).toEqual([]),
  ROW_MS,
);
