import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceProcess } from '../support/service/service-process.js';

/** The folder for V8's profiles of the loads, where they are wanted. What takes one costs some of the processor itself. */
const FOLDER = process.env['BENCH_PROFILE'];
const PRELOAD = join(import.meta.dirname, 'processes/profile.mjs');
/** Shares below this are many, and tell nothing one by one. */
const LEAST_SHARE = 0.01;

/** While nothing runs, and of what starts and ends a profile. */
const OTHERWISE = new Set(['(idle)', 'native dispatch']);

let count = 0;

/** What a service has to be started with. */
export const profileOptions = (): string[] => (FOLDER === undefined ? [] : ['--import', PRELOAD]);

/** Takes a profile of the service while something is asked of it: neither of its start nor of what was filled in before. */
export async function profiled<Result>(
  service: ServiceProcess | null,
  run: () => Promise<Result>,
): Promise<Result> {
  if (FOLDER === undefined || service === null) return run();
  mkdirSync(FOLDER, { recursive: true });
  const file = resolve(FOLDER, `${String((count += 1)).padStart(3, '0')}.cpuprofile`);
  await ask(service, { begin: true });
  const result = await run();
  await ask(service, { file });
  process.stderr.write(`${file}\n${table(shares(JSON.parse(readFileSync(file, 'utf8')) as Profile))}\n`);
  return result;
}

async function ask(service: ServiceProcess, profile: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = service.answer('profile');
  service.send({ profile });
  if ((await answer) === null) throw new Error('The service ended while a profile was taken.');
}

type Frame = Profile['nodes'][number]['callFrame'];

export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** By where the code is that was running: the share of the time in which something was. The largest first. */
export function shares({ nodes, samples, timeDeltas }: Profile): (readonly [string, number])[] {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const sums = new Map<string, number>();
  samples.forEach((id, nth) => {
    const place = places.get(id) ?? '(unknown)';
    if (!OTHERWISE.has(place)) sums.set(place, (sums.get(place) ?? 0) + (timeDeltas[nth] ?? 0));
  });
  const whole = [...sums.values()].reduce((sum, each) => sum + each, 0);
  return [...sums].map(([place, sum]) => [place, sum / whole] as const).sort(([, a], [, b]) => b - a);
}

/** A package, a folder of ours, Node's own, or what V8 says of itself, such as `(garbage collector)`. */
function placeOf({ functionName, url, lineNumber, columnNumber }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`;
  const source =
    url.startsWith('file:') && !url.includes('/node_modules/')
      ? sourceOf(fileURLToPath(url), lineNumber, columnNumber)
      : url;
  const [, scoped] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  const [, folder] = /.*\b(src\/(?:modules\/)?[^/]+)/.exec(source) ?? [];
  return scoped ?? folder ?? source;
}

const maps = new Map<string, SourceMap | null>();

/** Where the code was before the build put it together with other. */
function sourceOf(file: string, line: number, column: number): string {
  if (!maps.has(file)) {
    const map = `${file}.map`;
    const payload = existsSync(map)
      ? (JSON.parse(readFileSync(map, 'utf8')) as ConstructorParameters<typeof SourceMap>[0])
      : null;
    maps.set(file, payload && new SourceMap(payload));
  }
  const entry = maps.get(file)?.findEntry(line, column);
  return entry && 'originalSource' in entry ? entry.originalSource : file;
}

const table = (all: readonly (readonly [string, number])[]) =>
  all
    .filter(([, share]) => share >= LEAST_SHARE)
    .map(([place, share]) => `${(share * 100).toFixed(1).padStart(5)} % ${place}`)
    .join('\n');
