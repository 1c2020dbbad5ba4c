import { EVM_CALLS, evmMatrix, TIMED_CALLS, taglessMatrix } from '../chain/evm-matrix.js';
import { EvmStage } from '../chain/evm-stage.js';
import { ROW_MS, rowsOf, sufferRow } from '../chain/hostile-matrix.js';

/** Each call of the watcher with each fault, at each moment in the life of a payment. */
const COLUMNS_OF_EACH = 2;

let stage: EvmStage;

describe('of a node that says what is final', () => {
  beforeAll(async () => {
    stage = await EvmStage.start();
  });
  afterAll(() => stage?.stop());

  it.each(rowsOf(EVM_CALLS, evmMatrix(), COLUMNS_OF_EACH))(
    '$call: no fault loses or invents money, hides it in silence, or makes a block final',
    async (row) => expect(await sufferRow(stage, row)).toEqual([]),
    ROW_MS,
  );
});

describe('of a node that knows no tags', () => {
  beforeAll(async () => {
    stage = await EvmStage.start(true);
  });
  afterAll(() => stage?.stop());

  it.each(rowsOf(TIMED_CALLS, taglessMatrix(), COLUMNS_OF_EACH))(
    '$call: no false time makes a block final, loses money, or hides it in silence',
    async (row) => expect(await sufferRow(stage, row)).toEqual([]),
    ROW_MS,
  );
});
