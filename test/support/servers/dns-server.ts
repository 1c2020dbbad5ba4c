import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const TYPE = { A: 1, AAAA: 28 } as const;
export type RecordType = keyof typeof TYPE;

/** The addresses of a name for one question, `null` to say nothing; the next may get others. */
export type Zone = (name: string, type: RecordType) => readonly string[] | null;

/** An authoritative name server on UDP that may lie, and whose every answer is stale at once (TTL 0). */
export class DnsServer {
  /** Every question that was answered, with its answer. */
  readonly answered: {
    readonly name: string;
    readonly type: RecordType;
    readonly addresses: readonly string[];
  }[] = [];

  private constructor(
    private readonly socket: Socket,
    public zone: Zone,
  ) {}

  /** @param at where the machine's own look-ups ask, on port 53 alone, or any port of this machine */
  static async start(zone: Zone, at = { address: '127.0.0.1', port: 0 }): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket, zone);
    socket.on('message', (query, peer) => {
      const answer = server.answer(query);
      if (answer) socket.send(answer, peer.port, peer.address);
    });
    socket.bind(at.port, at.address);
    await once(socket, 'listening');
    return server;
  }

  /** For `Resolver.setServers`. */
  get address(): string {
    const { address, port } = this.socket.address();
    return `${address}:${port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const asked = query.readUInt16BE(at + 1);
    const type = asked === TYPE.A ? 'A' : asked === TYPE.AAAA ? 'AAAA' : null;
    const addresses = type === null ? [] : this.zone(labels.join('.').toLowerCase(), type);
    if (addresses === null) return null;
    if (type !== null) this.answered.push({ name: labels.join('.').toLowerCase(), type, addresses });
    const header = Buffer.alloc(12);
    header.set(query.subarray(0, 2));
    header.writeUInt16BE(0x8580, 2); // an answer, authoritative, recursion desired and available
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    return Buffer.concat([header, question, ...addresses.map((address) => record(asked, bytesOf(address)))]);
  }
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4); // class IN; the TTL stays 0
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Dotted IPv4, or IPv6 in eight groups: a test writes them out. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address.split(':').flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]),
  );
}
