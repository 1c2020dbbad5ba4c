import { profiled } from '../profile.js';
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
 * says how much of it the load itself could ask for; what Express reaches as our server uses it, how much of ours is that (ADR 91).
 */
export async function express(stage: Stage): Promise<Row[]> {
  const [find, seconds] = stage.quick ? [50, 0.1] : [500, SECONDS];
  const all = await filled(stage);
  const [ours] = all;
  const load = stage.helper('load-process.mjs');
  // Each a process of its own: what V8 has learned of the messages of one is not the other's.
  const rival = () => stage.helper('raw-queries.mjs', SERVICE_CORE);
  const last = (shape: LoadShape) => stage.loadFor(load, shape, seconds);
  const bare = bareShape(ours, await rival().call<number>('express', false), find);
  const early = bareShape(ours, await rival().call<number>('express', true), find);
  const alone = bareShape(ours, await serveBare(rival(), ours), find);
  const besideExpress = async (name: string, runs: Runs<Load>) => {
    const taken = await turns(stage, runs, () => last(bare));
    return rowsOf(`${name}, beside Express`, '/s', 'bare Express', taken, ({ perSecond }) => perSecond);
  };
  const rows = await besideExpress('node:http alone', [() => last(alone)]);
  rows.push(...(await besideExpress('Express with messages of its own from birth', [() => last(early)])));
  for (const [name, shapeOf] of Object.entries(SHAPES)) {
    rows.push(
      ...(await besideExpress(
        name,
        eachOf(all, (each) => profiled(each.service, () => last(shapeOf(each, find)))),
      )),
    );
  }
  return rows;
}
