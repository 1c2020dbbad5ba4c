import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose connections can go dead without ending: for good, or until the two sides meet again. */
export class VanishingProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isParted = false;

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
    private there: { readonly host: string; readonly port: number },
  ) {}

  /** @param target a URL with host and port; the proxy's has its own in their place */
  static async start(target: string): Promise<VanishingProxy> {
    const url = new URL(target);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const there = { host: url.hostname, port: Number(url.port) };
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new VanishingProxy(url.href, server, there);
    server.on('connection', (near) => proxy.join(near, connect(proxy.there)));
    return proxy;
  }

  /** As when an address moves to another machine: what is open ends, what opens from now on leads there. */
  turnTo(port: number): void {
    this.there = { ...this.there, port };
    for (const socket of [...this.pairs].flat()) socket.destroy();
    this.pairs.clear();
  }

  /** As when a firewall forgets them: no byte passes any open connection again, and neither end hears of the other's. */
  vanish(): number {
    for (const [near, far] of this.pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.resume();
      far.resume();
      near.removeAllListeners('close');
    }
    return this.pairs.size;
  }

  /** As when a cable is pulled: no byte and no end of a connection passes, on open ones or new ones, until `meet`. */
  part(): void {
    this.isParted = true;
    for (const [near, far] of this.pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** What was sent meanwhile arrives now, however late that is. */
  meet(): void {
    this.isParted = false;
    for (const [near, far] of this.pairs) {
      if (near.destroyed) far.destroy();
      else this.pass(near, far);
    }
  }

  async stop(): Promise<void> {
    for (const socket of [...this.pairs].flat()) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    this.pairs.add([near, far]);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => {
      if (!this.isParted) far.destroy();
    });
    if (!this.isParted) this.pass(near, far);
  }

  private pass(near: Socket, far: Socket): void {
    near.pipe(far);
    far.pipe(near);
  }
}
