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

const SHAPES: Readonly<Record<string, (subject: Filled, requests: number) => LoadShape>> = {
  'health/live': (subject, requests) => ({ ...readShape(subject, requests), paths: ['/health/live'] }),
  read: readShape,
  create: createShape,
  'list of 20': listShape,
  'checkout page': pageShape,
};

/** What a request costs beside one to which the framework alone answers, with three words of JSON. */
export async function express(stage: Stage): Promise<Row[]> {
  const subject = await filled(stage);
  const load = stage.helper('load-process.mjs');
  const port = await stage.helper('raw-queries.mjs', SERVICE_CORE).call<number>('express', {});
  const rows: Row[] = [];
  for (const [name, shapeOf] of Object.entries(SHAPES)) {
    const shape = shapeOf(subject, stage.quick ? 100 : 2_000);
    const bare: LoadShape = { ...readShape(subject, shape.requests), port, paths: ['/'] };
    const taken = await turns(stage, [() => stage.load(load, shape)], () => stage.load(load, bare));
    rows.push(
      ...rowsOf(`${name}, beside Express`, '/s', 'bare Express', taken, ({ perSecond }: Load) => perSecond),
    );
  }
  return rows;
}
