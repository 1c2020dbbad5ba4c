import { createServer, request as requestOf, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to one request on its way: `lost` reaches the service, and its answer does not come back; a status
 * is said by the way itself, the service hears nothing.
 */
export type Mishap = 'lost' | { readonly status: number; readonly headers?: Record<string, string> };

/** The way between a client and the service, on which things go wrong as they are told to. */
export class LossyProxy {
  readonly mishaps: Mishap[] = [];
  /** Of all that came, in order. */
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {}

  static async to(target: string): Promise<LossyProxy> {
    const server = createServer();
    const proxy = new LossyProxy(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        proxy.bodies.push(body.toString());
        const { method, headers } = request;
        const onward = { method, headers: { ...headers, host: new URL(target).host } };
        proxy.pass(new URL(request.url ?? '/', target), onward, body, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(url: URL, onward: object, body: Buffer, response: ServerResponse): void {
    const mishap = this.mishaps.shift();
    if (mishap && mishap !== 'lost') {
      response.writeHead(mishap.status, mishap.headers).end('<h1>Something is wrong</h1>');
      return;
    }
    requestOf(url, onward, (answer) => {
      if (mishap) answer.resume().on('end', () => response.destroy());
      else answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers));
    }).end(body);
  }
}
