import { CASES } from '../../../model/cases.js';
import { LifeRun } from '../../../model/life.js';
import { Stage } from '../../../model/stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it.each(CASES)('$title', async ({ life }) => {
  await LifeRun.of(stage, life);
});
