import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPostgres, withoutCluster } from '../../scripts/ensure/postgres.mjs';
import { hasTool } from '../support/run/tools.js';

const WHOLE = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];
const CI = process.env.CI;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rappen-tools-'));
});

afterEach(() => {
  if (CI === undefined) delete process.env.CI;
  else process.env.CI = CI;
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('a test whose tool is missing', () => {
  const missing = 'No such tool: it is NOT tested.';
  const spied = () => jest.spyOn(process.stderr, 'write').mockReturnValue(true);

  it('fails under CI', () => {
    const said = spied();
    process.env.CI = 'true';
    expect(() => hasTool({ isFound: false, missing })).toThrow(missing);
    expect(hasTool({ isFound: true, missing })).toBe(true);
    expect(said).not.toHaveBeenCalled();
  });

  it('is skipped and said elsewhere, and under CI where nothing installs that tool', () => {
    const said = spied();
    delete process.env.CI;
    expect(hasTool({ isFound: false, missing })).toBe(false);
    process.env.CI = 'true';
    expect(hasTool({ isFound: false, missing, mayLackInCi: true })).toBe(false);
    expect(said.mock.calls).toEqual([[`\n  ${missing}\n`], [`\n  ${missing}\n`]]);
  });

  it('is one under .ci/run', () => {
    mkdirSync(join(folder, '.ci'));
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "$CI $*"\n', { mode: 0o755 });
    writeFileSync(join(folder, '.ci/run'), readFileSync('.ci/run'), { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const { stdout } = spawnSync(join(folder, '.ci/run'), { env, encoding: 'utf8' });
    expect(stdout).toBe('true test\ntrue run check\n');
  });
});

describe('the PostgreSQL of Debian', () => {
  const put = (version: string, programs: readonly string[]) => {
    const bin = join(folder, version, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const program of programs) writeFileSync(join(bin, program), '');
    return bin;
  };

  it('is the newest of those with all programs, and none that the service does not run on', () => {
    expect(installedPostgres(join(folder, 'nowhere'))).toBeNull();
    put('9.6', WHOLE);
    put('14', WHOLE);
    put('18', ['pg_dump', 'pg_restore']);
    expect(installedPostgres(folder)).toBeNull();
    put('15', WHOLE);
    const newest = put('17', WHOLE);
    expect(installedPostgres(folder)).toBe(newest);
  });

  it('is installed by `npm test`', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts.pretest?.split(' ')).toEqual(
      expect.arrayContaining(['--browser', '--nodes', '--languages', '--postgres']),
    );
  });

  it('makes no cluster while it is installed, and what is installed later does again', async () => {
    const clusters = join(folder, 'createcluster.d');
    const read = () => readdirSync(clusters).map((name) => readFileSync(join(clusters, name), 'utf8').trim());
    expect(await withoutCluster(() => Promise.resolve(read()), clusters)).toEqual([
      'create_main_cluster = false',
    ]);
    writeFileSync(join(clusters, 'own.conf'), 'ssl = off');
    const failing = withoutCluster(() => Promise.reject(new Error('apt-get failed')), clusters);
    await expect(failing).rejects.toThrow('apt-get failed');
    expect(read()).toEqual(['ssl = off']);
  });
});
