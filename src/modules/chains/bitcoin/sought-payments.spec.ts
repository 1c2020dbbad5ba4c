import { NodeHttp } from '../watching/node-http.js';
import { CoreRpc } from './core-rpc.js';
import { sentAt } from './sought-payments.js';

const hash = (n: number) => n.toString(16).padStart(64, '0');

/** @param tx of block 7, which the node answers */
function answering(tx: readonly unknown[]): CoreRpc {
  const block = { hash: hash(7), height: 7, previousblockhash: hash(6), tx };
  const results: Readonly<Record<string, unknown>> = { getblockhash: hash(7), getblock: block };
  jest.spyOn(NodeHttp.prototype, 'post').mockImplementation(({ body }) => {
    const asked = JSON.parse(body) as { id: number; method: string }[];
    const answers = asked.map(({ id, method }) => ({ id, result: results[method] }));
    const text = Buffer.from(JSON.stringify(answers));
    return Promise.resolve({ status: 200, contentType: 'application/json', body: text });
  });
  return new CoreRpc('http://127.0.0.1:1');
}

const output = (n: number, value: number, scriptPubKey: object) => ({ n, value, scriptPubKey });
const at = (tx: number, n: number) => ({ txid: hash(tx), output: `out:${n}`, height: 7, hash: hash(7) });

afterEach(() => jest.restoreAllMocks());

it('finds each output of the amount to the address, as newer and as older nodes name it', async () => {
  const rpc = answering([
    {
      txid: hash(1),
      vout: [
        output(0, 0.5, { address: 'a' }),
        output(1, 0.6, { address: 'a' }),
        output(2, 0.5, { addresses: ['b', 'a', 'a'] }),
        output(3, 0.5, {}),
      ],
    },
    { txid: hash(2), vout: [output(0, 0.6, { address: 'b' }), { n: 1 }] },
  ]);
  const sought = [
    { to: 'a', atoms: 50_000_000n },
    { to: 'b', atoms: 60_000_000n },
    { to: 'c', atoms: 50_000_000n },
    { to: 'a', atoms: 50_000_000n },
  ];
  const paidA = [at(1, 0), at(1, 2)];
  expect(await sentAt(rpc, 7, sought)).toEqual({
    hash: hash(7),
    parentHash: hash(6),
    found: [paidA, [at(2, 0)], [], paidA],
  });
});

it('reads a list of addresses no further than to the first that is none, and says so once', async () => {
  const addresses = Array.from({ length: 1_000 }, () => 1);
  const rpc = answering([{ txid: hash(1), vout: [output(0, 1, { addresses })] }]);
  await expect(sentAt(rpc, 7, [])).rejects.toThrow(/addresses must be a list of texts$/);
});
