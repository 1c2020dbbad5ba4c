import { startTestAnvil } from '../../support/nodes/anvil.js';
import { type Load, type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import {
  createShape,
  listShape,
  pageShape,
  readShape,
  rowsOf,
  type Subject,
  subjects,
  turns,
  withIntents,
  withPicked,
} from './api-rows.js';

type Filled = Subject & { readonly id: string; readonly ids: readonly string[] };

const SHAPES: Readonly<Record<string, (filled: Filled, requests: number) => LoadShape>> = {
  'health/live': (filled, requests) => ({ ...readShape(filled, requests), paths: ['/health/live'] }),
  read: readShape,
  create: createShape,
  'list of 20': listShape,
  'checkout page': pageShape,
};

/** What a request costs beside one to which the framework alone answers, with three words of JSON. */
export async function express(stage: Stage): Promise<Row[]> {
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const [filled] = await subjects(stage, { chain: anvil }, async (each) => ({
    ...(await withIntents(stage, each)),
    ...(await withPicked(each)),
  }));
  const load = stage.helper('load-process.mjs');
  const port = await stage.helper('raw-queries.mjs', SERVICE_CORE).call<number>('express', {});
  const rows: Row[] = [];
  for (const [name, shapeOf] of Object.entries(SHAPES)) {
    const shape = shapeOf(filled, stage.quick ? 100 : 2_000);
    const bare: LoadShape = { ...readShape(filled, shape.requests), port, paths: ['/'] };
    const taken = await turns(stage, [() => stage.load(load, shape)], () => stage.load(load, bare));
    rows.push(
      ...rowsOf(`${name}, beside Express`, '/s', 'bare Express', taken, ({ perSecond }: Load) => perSecond),
    );
  }
  return rows;
}
