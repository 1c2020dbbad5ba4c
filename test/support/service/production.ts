import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stablePort } from '../servers/ports.js';
import { eventually } from '../servers/receiver.js';
import { onCore } from './cores.js';
import { AS_SHIPPED, shippedFiles } from './shipped.js';

export const PRODUCTION_HOST = 'api.rappen.example';
const READY_MS = 120_000;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built service as the image starts it, in nothing but the files that the image ships. Needs a build. */
export class ProductionProcess {
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly settings: Readonly<Record<string, string>>,
    private readonly core: number | undefined,
  ) {}

  /**
   * @param env what every start needs beyond the least: networks, prices
   * @param core the processor core to run on
   */
  static async create(env: Readonly<Record<string, string>>, core?: number): Promise<ProductionProcess> {
    return new ProductionProcess(shippedFiles(), await stablePort(), env, core);
  }

  /** Nothing of this process' own environment but what finds programs. */
  private get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      BASE_URL: `https://${PRODUCTION_HOST}`,
      CHECKOUT_URL: 'https://pay.rappen.example',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      HOST: '127.0.0.1',
      PORT: String(this.port),
      TRUST_PROXY: '1',
      ...this.settings,
    };
  }

  /** Everything that it wrote. */
  get printed(): string {
    return this.output;
  }

  /** Its lines on both streams; what is not JSON comes as text. */
  get lines(): readonly (string | Readonly<Record<string, unknown>>)[] {
    return this.output
      .split('\n')
      .filter(Boolean)
      .map((line) => (line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : line));
  }

  launch(env: Readonly<Record<string, string>> = {}): void {
    const [command, ...args] = onCore(this.core, [process.execPath, ...AS_SHIPPED, 'dist/main.js']);
    const child = spawn(command!, args, { cwd: this.folder, env: { ...this.env, ...env } });
    this.child = child;
    this.output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.launch(env);
    await eventually(
      () => this.isReady(),
      (ready) => ready || this.child?.exitCode !== null,
      READY_MS,
    );
    if (this.child?.exitCode !== null) throw new Error(`it did not start:\n${this.output}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves with the exit code, or the signal, of its end. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    const { child } = this;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode ?? child.signalCode;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    this.signal(signal);
    return this.ended();
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A command as `docker run … rappen` runs it: the package's `bin`, in the same files and environment. */
  async rappen(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const child = spawn(process.execPath, [...AS_SHIPPED, join(this.folder, 'dist/cli/main.js'), ...args], {
      cwd: '/',
      env: { ...this.env, ...env },
    });
    const [stdout, stderr] = [[] as string[], [] as string[]];
    child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  }

  /** Of the instance itself, by address, past any proxy. */
  async isReady(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => null);
    return response?.status === 200;
  }
}
