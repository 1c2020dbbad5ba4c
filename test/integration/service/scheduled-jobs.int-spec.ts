import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SchedulerRegistry } from '@nestjs/schedule';
import { jobsOf } from '../../../src/platform/jobs/scheduled-job.js';
import { Service } from '../../support/service.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Each file of the service with `@ScheduledJob` in it, and how often it is there. */
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .map((file) => ({
    file,
    times: [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ +@ScheduledJob\(/gm)].length,
  }))
  .filter(({ times }) => times > 0);

/** The names of the jobs that the classes of a file declare. */
async function declaredIn(file: string): Promise<string[]> {
  const exported = (await import(`../../../${file.replace(/\.ts$/, '.js')}`)) as Record<string, unknown>;
  const classes = Object.values(exported).filter((one) => typeof one === 'function');
  return classes.flatMap((one) => {
    const prototype = one.prototype as object | undefined;
    return prototype ? jobsOf(Object.create(prototype) as object).map(({ name }) => name) : [];
  });
}

let scheduled: readonly string[];
let service: Service;
beforeAll(async () => {
  service = await Service.start();
  scheduled = service.app.get(SchedulerRegistry).getIntervals();
});
afterAll(() => service.stop());

it('finds the jobs', () => {
  expect(SOURCES.length).toBeGreaterThan(15);
});

it.each(SOURCES)(
  'a service runs every job of $file: a module provides its class',
  async ({ file, times }) => {
    const declared = await declaredIn(file);
    expect(declared).toHaveLength(times);
    expect(scheduled).toEqual(expect.arrayContaining(declared));
  },
);
