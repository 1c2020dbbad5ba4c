import { type Load, type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { eachOf, rowsOf, type Runs, turns } from '../turns.js';
import { bareShape, createShape, listShape, readShape, serveBare } from './api-rows.js';
import { type Filled, filled, pageShape } from './checkout-rows.js';

/** Long enough for a moment of the machine's to be lost in it. */
const SECONDS = 4;

/** The pages first: their buyers have a quarter of an hour. */
const SHAPES: Readonly<Record<string, (subject: Filled, requests: number) => LoadShape>> = {
  'checkout page': pageShape,
  'health/live': (subject, requests) => ({ ...readShape(subject, requests), paths: ['/health/live'] }),
  read: readShape,
  create: createShape,
  'list of 20': listShape,
};

/**
 * What a request costs beside one to which the framework alone answers, with three words of JSON. What `node:http` alone reaches
 * says how much of it the load itself could ask for.
 */
export async function express(stage: Stage): Promise<Row[]> {
  const [find, seconds] = stage.quick ? [50, 0.1] : [500, SECONDS];
  const all = await filled(stage);
  const [ours] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const last = (shape: LoadShape) => stage.loadFor(load, shape, seconds);
  const bare = bareShape(ours, await rival.call<number>('express', {}), find);
  const alone = bareShape(ours, await serveBare(rival, ours), find);
  const besideExpress = async (name: string, runs: Runs<Load>) => {
    const taken = await turns(stage, runs, () => last(bare));
    return rowsOf(`${name}, beside Express`, '/s', 'bare Express', taken, ({ perSecond }) => perSecond);
  };
  const rows = await besideExpress('node:http alone', [() => last(alone)]);
  for (const [name, shapeOf] of Object.entries(SHAPES)) {
    rows.push(
      ...(await besideExpress(
        name,
        eachOf(all, (each) => last(shapeOf(each, find))),
      )),
    );
  }
  return rows;
}
