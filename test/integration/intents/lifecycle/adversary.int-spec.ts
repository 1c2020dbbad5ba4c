import { lives } from '../../../model/commands.js';
import { everyLife } from '../../../model/every-life.js';
import { LifeRun } from '../../../model/life.js';

// Lives of an intent among adversaries, step by step beside the reference model of `test/model/reference.ts`. The
// shortest life that fails belongs into `test/model/cases.ts`.
everyLife('never disagrees with the reference model', 200, lives, (stage, tried) => LifeRun.of(stage, tried));
