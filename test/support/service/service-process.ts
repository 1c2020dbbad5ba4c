import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tokens } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { xpubOf } from '../nodes/wallet.js';
import { stablePort } from '../servers/ports.js';
import { onCore } from './cores.js';

const ROOT = join(import.meta.dirname, '../../..');
/** In this checkout, and in those before its tests had rooms: a benchmark starts such a one beside it. */
const ENTRIES = ['test/support/service/built-service.mjs', 'test/support/built-service.mjs'];
const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');

export interface ServiceProcessOptions {
  readonly databaseUrl: string;
  /** 32 bytes in base64. */
  readonly secretKey?: string;
  /** Without one no network is configured. */
  readonly chain?: { readonly rpcUrl: string; readonly tokens: Tokens };
  readonly env?: Readonly<Record<string, string>>;
  /** A module that is loaded before the service. */
  readonly preload?: string;
  readonly nodeOptions?: readonly string[];
  /** The processor core to run on. */
  readonly core?: number;
  /** The folder of another built checkout of the project, to run that instead. */
  readonly checkout?: string | undefined;
}

export interface ProcessShop {
  readonly merchantId: string;
  readonly key: string;
  readonly endpoints: readonly { readonly id: string; readonly url: string; readonly secret: string }[];
}

/** The built service (`npm run build`) in a process that can be killed and started again at the same address. */
export class ServiceProcess {
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    private readonly options: ServiceProcessOptions,
    private readonly ports: { readonly PORT: string; readonly CHECKOUT_PORT: string },
  ) {}

  static async create(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const ports = { PORT: String(await stablePort()), CHECKOUT_PORT: String(await stablePort()) };
    return new ServiceProcess(options, ports);
  }

  get url(): string {
    return `http://localhost:${this.ports.PORT}`;
  }

  get checkoutUrl(): string {
    return `http://localhost:${this.ports.CHECKOUT_PORT}`;
  }

  /** What it wrote, for the message of a failure. */
  get printed(): string {
    return this.output;
  }

  get running(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves once it is ready; a process that was killed on the way resolves too, with `false`. */
  async start(): Promise<boolean> {
    const {
      databaseUrl,
      secretKey = SECRET_KEY,
      chain,
      preload,
      core,
      nodeOptions = [],
      checkout: root = ROOT,
    } = this.options;
    const service = {
      databaseUrl,
      secretKey,
      chain: chain && { rpcUrl: chain.rpcUrl, tokens: addressesOf(chain.tokens), pollIntervalMs: 100 },
    };
    const env = {
      ...process.env,
      NODE_ENV: '',
      LOG_LEVEL: 'error',
      ...this.ports,
      ...this.options.env,
      BUILT_SERVICE: JSON.stringify(service),
    };
    const node = [
      process.execPath,
      ...nodeOptions,
      ...(preload ? ['--import', preload] : []),
      ENTRIES.map((entry) => join(root, entry)).find(existsSync) ?? '',
    ];
    const [command, ...args] = onCore(core, node);
    const child = spawn(command!, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.child = child;
    this.output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    const answer = await this.answer('ready');
    if (answer === null && child.signalCode !== 'SIGKILL') {
      throw new Error(`the service did not start:\n${this.output}`);
    }
    return answer !== null;
  }

  /** An approved merchant with a key, a wallet of its own and endpoints at the given URLs. */
  async shop(name: string, webhookUrls: readonly string[]): Promise<ProcessShop> {
    this.send({ shop: { xpub: xpubOf(name), webhookUrls } });
    const answer = await this.answer('shop');
    if (answer === null) throw new Error(`no shop was made:\n${this.output}`);
    return answer['shop'] as ProcessShop;
  }

  /** Somebody who owns the merchant and runs the instance. @returns the `Cookie` header of their session */
  async owner(merchantId: string): Promise<string> {
    this.send({ owner: { merchantId } });
    const answer = await this.answer('owner');
    if (answer === null) throw new Error(`nobody was made:\n${this.output}`);
    return answer['owner'] as string;
  }

  /** Bytes of the heap that are in use after a full collection. Needs `--expose-gc` among `nodeOptions`. */
  async liveBytes(): Promise<number> {
    this.send({ live: true });
    const answer = await this.answer('live');
    if (answer === null) throw new Error(`nothing was collected:\n${this.output}`);
    return answer['live'] as number;
  }

  /** To the service or to what was loaded before it. */
  send(message: Readonly<Record<string, unknown>>): void {
    this.child?.send(message);
  }

  /** Waits for a message with this field; `null` when the process ends before. */
  async answer(field: string): Promise<Readonly<Record<string, unknown>> | null> {
    const { child } = this;
    if (!child || !this.running) return null;
    return new Promise((resolve) => {
      const settle = (result: Readonly<Record<string, unknown>> | null) => {
        child.off('message', onMessage).off('exit', onExit);
        resolve(result);
      };
      const onExit = () => settle(null);
      const onMessage = (message: Record<string, unknown>) => {
        if ('failed' in message) this.output += String(message['failed']);
        if (field in message || 'failed' in message) settle(field in message ? message : null);
      };
      child.on('message', onMessage).on('exit', onExit);
    });
  }

  /** Resolves with the signal or the exit code of the process's end. */
  async ended(): Promise<NodeJS.Signals | number | null> {
    const { child } = this;
    if (!child) return null;
    if (this.running) await once(child, 'exit');
    return child.signalCode ?? child.exitCode;
  }

  /** To let it stand still and go on: it neither ends nor notices. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.child?.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.running) return;
    this.child?.kill(signal);
    await this.ended();
  }
}

function addressesOf({ USDC, USDT }: Tokens): { USDC: string; USDT: string } {
  return { USDC: USDC.address, USDT: USDT.address };
}
