import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itWith } from '../../support/run/tools.js';
import { DnsServer } from '../../support/servers/dns-server.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Ours alone, because the machine's resolver asks port 53 of an address and no other. */
const AT = { address: `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`, port: 53 };
/** Sources of prices, each of four connections. */
const ASKED = 12;

const folder = mkdtempSync(join(tmpdir(), 'rappen-silent-names-'));
const settings = join(folder, 'resolv.conf');
writeFileSync(settings, `nameserver ${AT.address}\n`);
/** Whoever runs under it asks that name server, and nobody else does. */
const ALONE = ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', settings];
/** Whether that may be done here, and the port is nobody's: a resolver of the machine may have it at all addresses. */
const TRY = `require('node:dgram').createSocket('udp4').bind(${AT.port}, '${AT.address}', () => process.exit())`;
const isFound = spawnSync('unshare', [...ALONE, process.execPath, '-e', TRY]).status === 0;

let child: ChildProcess | null = null;
let nameServer: DnsServer | null = null;

afterAll(async () => {
  child?.kill('SIGKILL');
  await nameServer?.stop();
  rmSync(folder, { recursive: true });
});

const mounts = {
  isFound,
  missing: 'No mounts of its own for a process here: silent name servers are NOT tested.',
  mayLackInCi: true,
};

itWith(mounts)(
  'while name servers are silent passwords are hashed, pages packed, and names found that are not theirs',
  async () => {
    const asked = new Set<string>();
    let hear = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (hear = resolve));
    nameServer = await DnsServer.start((name) => {
      asked.add(name);
      hear();
      return null;
    }, AT);
    const program = ['scripts/run-typescript.mjs', 'test/support/service/silent-names.ts'];
    child = spawn('unshare', [...ALONE, process.execPath, ...program], {
      cwd: ROOT,
      env: { ...process.env, RES_OPTIONS: 'timeout:30 attempts:5' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(() => ['it ended before it was done']);
    expect(await Promise.race([isAsked, ended])).toBeUndefined();
    child.send('go on');
    expect(await Promise.race([once(child, 'message'), ended])).toMatchObject([
      {
        hashed: '$argon2id',
        packed: 1_000_000,
        nodeStatus: 200,
        loopback: '127.0.0.1',
        hanging: ASKED,
      },
    ]);
    // Of all those names, and those of mail and alerts, one look-up is under way.
    expect([...asked]).toHaveLength(1);
  },
  300_000,
);
