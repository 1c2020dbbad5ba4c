import { once } from 'node:events';
import { connect } from 'node:net';
import { Api } from '../../support/api/api.js';
import { exchange, exchangeBytes, rawRequest } from '../../support/api/api-raw.js';
import { expectProblem } from '../../support/api/problems.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

let service: Service;
let shop: Shop;
let api: Api;

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
  api = new Api(service, shop.key);
});
afterAll(() => service.stop());

const ORDER = '{"amount":1,"currency":"CHF"}';
const CREATE = 'POST /api/v1/intents HTTP/1.1';
const send = (bytes: string | Buffer) => exchange(service.config.port, bytes);
const good = () => [`Host: localhost:${service.config.port}`, `X-Api-Key: ${shop.key}`];
const json = () => [...good(), 'Content-Type: application/json'];
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = `${chunk(ORDER)}0\r\n\r\n`;

/** With the key of a good client, so that nothing else is a reason to refuse. */
describe('refuses with 400, and creates nothing for,', () => {
  it.each<[string, readonly string[], string?]>([
    ['chunks in an unknown coding', ['Transfer-Encoding: xchunked']],
    ['chunks that are coded twice', ['Transfer-Encoding: chunked, chunked']],
    ['chunks within another coding', ['Transfer-Encoding: gzip, chunked']],
    ['chunks before another coding', ['Transfer-Encoding: chunked, identity']],
    ['an identity coding', ['Transfer-Encoding: identity']],
    ['two codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['a coding behind a tab', ['Transfer-Encoding:\x0bchunked']],
    ['a coding in quotes', ['Transfer-Encoding: "chunked"']],
    ['a length before chunks', [`Content-Length: ${ORDER.length}`, 'Transfer-Encoding: chunked']],
    ['a length after chunks', ['Transfer-Encoding: chunked', `Content-Length: ${ORDER.length}`]],
    ['a length with a plus', [`Content-Length: +${ORDER.length}`], ORDER],
    ['a negative length', ['Content-Length: -1'], ORDER],
    ['a list of lengths', [`Content-Length: ${ORDER.length}, ${ORDER.length}`], ORDER],
    ['the same length twice', Array<string>(2).fill(`Content-Length: ${ORDER.length}`), ORDER],
    ['a hexadecimal length', ['Content-Length: 0x1d'], ORDER],
    ['a length beyond 64 bits', ['Content-Length: 99999999999999999999'], ORDER],
    ['a folded header', ['X-A: b\r\n c'], ORDER],
    ['a bare carriage return in a header', ['X-A: b\rX-B: c'], ORDER],
    ['a bare line feed in a header', ['X-A: b\nX-B: c'], ORDER],
    ['a NUL in the name of a header', ['X\0: b'], ORDER],
    ['a tab before a colon', ['Content-Length\t: 29'], ORDER],
    ['a header without a colon', ['Content-Length 29'], ORDER],
    ['a chunk of a hexadecimal prefix', ['Transfer-Encoding: chunked'], `0x${CHUNKED}`],
    ['a chunk of negative size', ['Transfer-Encoding: chunked'], `-${CHUNKED}`],
    ['a chunk beyond 64 bits', ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${ORDER}\r\n0\r\n\r\n`],
    ['a chunk without its end', ['Transfer-Encoding: chunked'], `1d\r\n${ORDER}0\r\n\r\n`],
    ['a chunk longer than it says', ['Transfer-Encoding: chunked'], `1c\r\n${ORDER}\r\n0\r\n\r\n`],
    [
      'chunks that end their lines by line feeds',
      ['Transfer-Encoding: chunked'],
      CHUNKED.replaceAll('\r', ''),
    ],
    ['a chunk extension with a line feed', ['Transfer-Encoding: chunked'], `1d;a\n${ORDER}\r\n0\r\n\r\n`],
  ])('%s', async (_, headers, body = CHUNKED) => {
    const before = (await api.list()).body.total;
    expectProblem(await send(rawRequest(CREATE, [...json(), ...headers], body)), 'bad-request');
    expect((await api.list()).body.total).toBe(before);
  });

  it.each<[string, string]>([
    ['lines that end by line feeds', `GET /api/v1/intents HTTP/1.1\nHost: x\n\n`],
    ['a blank before the first header', 'GET / HTTP/1.1\r\n Host: x\r\n\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version without a number', 'GET / HTTP/x\r\nHost: x\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an empty method', ' / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['the greeting of SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ])('%s', async (_, bytes) => {
    expectProblem(await send(bytes), 'bad-request');
  });
});

it('refuses chunks by HTTP/1.0, which does not know them', async () => {
  const request = rawRequest(
    'POST /api/v1/intents HTTP/1.0',
    [...json(), 'Transfer-Encoding: chunked'],
    CHUNKED,
  );
  expectProblem(await send(request), 'bad-request');
});

it('takes a plain body, and a chunked one with a coding in capitals', async () => {
  const length = `Content-Length: ${ORDER.length}`;
  expect((await send(rawRequest(CREATE, [...json(), length], ORDER))).status).toBe(201);
  const chunked = rawRequest(CREATE, [...json(), 'Transfer-Encoding: Chunked'], CHUNKED);
  expect((await send(chunked)).status).toBe(201);
});

it('has no TRACE, which would show a key to a script', async () => {
  const answer = await send(rawRequest('TRACE /api/v1/intents HTTP/1.1', good()));
  expectProblem(answer, 'method-not-allowed');
  expect(answer.text).not.toContain(shop.key);
});

it('serves 100 headers and refuses more, rather than to overlook some', async () => {
  const list = (count: number) => {
    const more = Array.from({ length: count - good().length - 1 }, (_, i) => `X-${i}: a`);
    return send(rawRequest('GET /api/v1/intents HTTP/1.1', [...good(), ...more]));
  };
  expect((await list(100)).status).toBe(200);
  expectProblem(await list(101), 'headers-too-large');
  expectProblem(await list(1_500), 'headers-too-large');
});

it('upgrades to nothing', async () => {
  for (const protocol of ['websocket', 'h2c']) {
    const headers = [...good(), `Upgrade: ${protocol}`];
    const request = ['GET /api/v1/intents HTTP/1.1', ...headers, 'Connection: Upgrade, close', '', ''].join(
      '\r\n',
    );
    expect((await send(request)).status).toBe(200);
  }
});

it('answers pipelined requests in their order, and none behind one that is malformed', async () => {
  const get = (path: string) => ['GET ' + path + ' HTTP/1.1', ...good(), '', ''].join('\r\n');
  const bytes = await exchangeBytes(
    service.config.port,
    get('/api/v1/intents/pi_1') + get('/api/v1/intents') + get('/api/v1/intents x'),
  );
  const statuses = [...bytes.toString().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['404', '200', '400']);
});

it('does not run what hides in the body of a refused request', async () => {
  const hidden = rawRequest(CREATE, [...json(), `Content-Length: ${ORDER.length}`], ORDER);
  const before = (await api.list()).body.total;
  const outer = rawRequest(
    CREATE,
    [...json(), `Content-Length: 5`, 'Transfer-Encoding: chunked'],
    `0\r\n\r\n${hidden}`,
  );
  expectProblem(await send(outer), 'bad-request');
  expect((await api.list()).body.total).toBe(before);
});

it('outlives a client that leaves in the middle of a body', async () => {
  const before = (await api.list()).body.total;
  const socket = connect(service.config.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(rawRequest(CREATE, [...json(), 'Content-Length: 29'], ORDER.slice(0, 20)));
  await once(socket, 'connect');
  socket.resetAndDestroy();
  await eventually(
    async () => (await api.list()).status,
    (status) => status === 200,
  );
  expect((await api.list()).body.total).toBe(before);
});

it('tells a client that drips its headers, or its body, that it is too slow', async () => {
  const drip = async (start: string) => {
    const socket = connect(service.config.port, '127.0.0.1');
    const chunks: string[] = [];
    socket.on('data', (data: Buffer) => chunks.push(data.toString())).on('error', () => undefined);
    socket.write(start);
    const dripping = setInterval(() => socket.writable && socket.write('a'), 500);
    await once(socket, 'close');
    clearInterval(dripping);
    return chunks.join('');
  };
  const answers = await Promise.all([
    drip('GET / HTTP/1.1\r\nX-Slow: '),
    drip(['POST /api/v1/intents HTTP/1.1', ...json(), 'Content-Length: 60000', '', ''].join('\r\n')),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request-timeout"/);
});
