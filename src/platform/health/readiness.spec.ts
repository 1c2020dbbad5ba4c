import { DataSource } from 'typeorm';
import { Readiness } from './readiness.js';

/** Whose checks end when they are told to. */
function readinessWith() {
  const readiness = new Readiness(new DataSource({ type: 'postgres' }));
  const asked: ((ok: boolean) => void)[] = [];
  const check = () => new Promise<{ ok: boolean }>((resolve) => asked.push((ok) => resolve({ ok })));
  readiness.register({ name: 'other', required: true, check });
  return { readiness, asked };
}

it('looks once for all who ask meanwhile, and anew for who asks afterwards', async () => {
  const { readiness, asked } = readinessWith();
  const reports = Array.from({ length: 1_000 }, () => readiness.report());
  expect(asked).toHaveLength(1);
  asked[0]!(true);
  for (const { checks } of await Promise.all(reports)) expect(checks['other']).toEqual({ ok: true });

  const later = readiness.report();
  expect(asked).toHaveLength(2);
  asked[1]!(false);
  expect((await later).checks['other']).toEqual({ ok: false });
});

it('says that it is closed although the look began before', async () => {
  const { readiness, asked } = readinessWith();
  readiness.open();
  const report = readiness.report();
  readiness.close();
  asked[0]!(true);
  expect(await report).toMatchObject({ ready: false, checks: { started: { ok: false } } });
});

it('does not wait for a check that hangs, and tries it anew', async () => {
  jest.useFakeTimers();
  try {
    const { readiness, asked } = readinessWith();
    const report = readiness.report();
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await report).checks['other']).toEqual({ ok: false });
    void readiness.report();
    expect(asked).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});
