import { type Load, type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import {
  createShape,
  type Filled,
  filled,
  listShape,
  pageShape,
  readShape,
  rowsOf,
  turns,
} from './api-rows.js';

/** Long enough for the compiler to be done, and for a moment of the machine's to be lost in it. */
const SECONDS = 4;

const SHAPES: Readonly<Record<string, (subject: Filled, requests: number) => LoadShape>> = {
  'health/live': (subject, requests) => ({ ...readShape(subject, requests), paths: ['/health/live'] }),
  read: readShape,
  create: createShape,
  'list of 20': listShape,
  'checkout page': pageShape,
};

/**
 * What a request costs beside one to which the framework alone answers, with three words of JSON. What `node:http` alone reaches
 * says how much of it the load itself could ask for.
 */
export async function express(stage: Stage): Promise<Row[]> {
  const [find, seconds] = stage.quick ? [50, 0.1] : [500, SECONDS];
  const subject = await filled(stage);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const answering = (port: number): LoadShape => ({ ...readShape(subject, find), port, paths: ['/'] });
  const bare = answering(await rival.call<number>('express', {}));
  const shapes = Object.entries(SHAPES).map(([name, shapeOf]) => [name, shapeOf(subject, find)] as const);
  const rows: Row[] = [];
  const plain = {
    databaseUrl: subject.databaseUrl,
    connections: 1,
    texts: [],
    values: [],
    body: '{"ok":true}',
  };
  const alone = ['node:http alone', answering(await rival.call<number>('serve', plain))] as const;
  for (const [name, shape] of [alone, ...shapes]) {
    const run = (each: LoadShape) => () => stage.loadFor(load, each, seconds);
    const taken = await turns(stage, [run(shape)], run(bare));
    rows.push(
      ...rowsOf(`${name}, beside Express`, '/s', 'bare Express', taken, ({ perSecond }: Load) => perSecond),
    );
  }
  return rows;
}
