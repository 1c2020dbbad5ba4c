import { once } from 'node:events';
import { connect } from 'node:net';
import type { Answer, AnyBody } from './api.js';

/** Bytes as no well-behaved client sends them, on a socket of their own. Reads until the server hangs up. */
export async function exchange(port: number, bytes: string | Buffer): Promise<Answer<AnyBody>> {
  return parse(await exchangeBytes(port, bytes));
}

/** The same, where more than one answer may come. */
export async function exchangeBytes(port: number, bytes: string | Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that refuses early may reset while we still write; what it said before counts.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

/** A request from its lines; the last of the headers asks the server to hang up. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return [line, ...headers, 'Connection: close', '', body].join('\r\n');
}

function parse(bytes: Buffer): Answer<AnyBody> {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const text = bytes.subarray(end + 4).toString('utf8');
  const headers = new Headers(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name, value.join(':').trim()];
    }),
  );
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as AnyBody;
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, text, body };
}
