import { CONSISTENT_LIES } from '../../chain/evm-faults.js';
import {
  EVM_CALLS,
  evmMatrix,
  SPARED_CALLS,
  taglessMatrix,
  TIMED_CALLS,
} from '../../chain/hostile/evm-matrix.js';
import { EvmStage } from '../../chain/hostile/evm-stage.js';
import {
  chosenOf,
  type Row,
  ROW_MS,
  rowsOf,
  rowsOfTwo,
  Stages,
  type Standing,
  sufferRow,
} from '../../chain/hostile/hostile-matrix.js';

/** Each call of the watcher with each fault, at each moment in the life of a payment. */
const COLUMNS_OF_EACH = 2;
/** Beside an honest node. */
const COLUMNS_OF_TWO = 1;

type Node = Standing | 'without tags';
const stages = new Stages<Node, EvmStage>((node) =>
  node === 'without tags' ? EvmStage.start('alone', true) : EvmStage.start(node),
);
afterAll(() => stages.stop());

const on = (node: Node) => (row: Row) => ({ ...row, node });
/** What one node alone could not be caught at. */
const lies = chosenOf([['whatever is about a payment', Object.entries(CONSISTENT_LIES)]], COLUMNS_OF_TWO);

const rows = [
  ...rowsOf(EVM_CALLS, evmMatrix(), COLUMNS_OF_EACH).map(on('alone')),
  ...rowsOf(TIMED_CALLS, taglessMatrix(), COLUMNS_OF_EACH).map(on('without tags')),
  ...rowsOfTwo([...rowsOf(EVM_CALLS, evmMatrix(), COLUMNS_OF_TWO), ...lies]),
];

it.each(rows)(
  '$call, of a node that is $node: no fault loses or invents money, hides it in silence, or makes a block final',
  async ({ node, ...row }) => expect(await sufferRow(await stages.of(node), row, SPARED_CALLS)).toEqual([]),
  ROW_MS,
);
