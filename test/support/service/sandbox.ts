import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSandboxFile, type SandboxFile } from '../../../src/modules/sandbox/sandbox-home.service.js';
import { stablePort } from '../servers/ports.js';
import { eventually } from '../servers/receiver.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Before Jest's own limit, which would not say what was printed. A start took 46 s beside eleven other processes that had work. */
const HANGS_AFTER_MS = 280_000;

/** The built product as `npm start` runs it, on a data folder and ports of its own. */
export class SandboxProcess {
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    readonly dataDir: string,
    private readonly ports: { readonly PORT: string; readonly CHECKOUT_PORT: string },
  ) {}

  static async create(): Promise<SandboxProcess> {
    const ports = { PORT: String(await stablePort()), CHECKOUT_PORT: String(await stablePort()) };
    return new SandboxProcess(mkdtempSync(join(tmpdir(), 'rappen-sandbox-')), ports);
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, NODE_ENV: '', DATA_DIR: this.dataDir, LOG_LEVEL: 'warn', ...this.ports };
  }

  /** Resolves when readiness says so. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<SandboxFile> {
    this.output = '';
    const child = spawn(process.execPath, ['dist/main.js'], { cwd: ROOT, env: { ...this.env, ...env } });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    await eventually(
      async () => ({
        isReady: await this.isReady(),
        hasEnded: this.hasEnded,
        printed: this.output,
      }),
      ({ isReady, hasEnded }) => isReady || hasEnded,
      HANGS_AFTER_MS,
    );
    if (this.hasEnded) throw new Error(`the sandbox did not start:\n${this.output}`);
    return readSandboxFile(this.dataDir);
  }

  /** What it printed, for a person. */
  get printed(): string {
    return this.output;
  }

  /** Whether Node has warned of it since it was started: of what is deprecated, or of listeners that pile up. */
  get isWarned(): boolean {
    return this.output.includes('process warning');
  }

  /**
   * @returns the exit code
   * @throws Error where Node has warned of something, whoever ended it
   */
  async stop(...signals: NodeJS.Signals[]): Promise<number | null> {
    const { child } = this;
    if (child && !this.hasEnded) {
      const ended = once(child, 'exit');
      for (const signal of signals.length > 0 ? signals : (['SIGINT'] as const)) child.kill(signal);
      await ended;
    }
    if (this.isWarned) throw new Error(`Node warned of something:\n${this.output}`);
    return child?.exitCode ?? null;
  }

  get hasEnded(): boolean {
    return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The numbers of the servers that it started, by their own files: database, chains, node. */
  servers(): { readonly name: string; readonly pid: number }[] {
    const pidOf = (text: string) => Number(/\d+/.exec(text)?.[0]);
    const files = ['postgres/cluster/postmaster.pid', 'litecoin/node.pid.json'];
    for (const chain of ['anvil', 'anvil-polygon']) files.push(`${chain}/state.json.pid`);
    return files
      .filter((file) => existsSync(join(this.dataDir, file)))
      .map((file) => ({ name: file, pid: pidOf(readFileSync(join(this.dataDir, file), 'utf8')) }));
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async dispose(): Promise<void> {
    // A killed one leaves its database and chain to the next start, which stops them properly.
    if (this.child?.signalCode === 'SIGKILL') await this.start();
    await this.stop().finally(() => rmSync(this.dataDir, { recursive: true, force: true }));
  }

  /** Runs one of the project's commands as a user would, without npm's own lines. */
  async run(
    script: string,
    ...args: string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, env: this.env });
    const [stdout, stderr] = [[] as string[], [] as string[]];
    child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  }

  private async isReady(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.ports.PORT}/health/ready`).catch(() => null);
    return response?.status === 200;
  }
}
