import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';

/** As many outputs as a transaction that nodes relay has room for. */
const OUTPUTS = 2_900;
const DUST = 3_000n;
const LTC = 100_000_000n;

// Whoever pays one address thousands of times in one transaction, and replaces that by another such, must not make
// millions of pairs of it: the statement would end by its time limit at each look, and the network stand still.
describeOnNode()('a payment of thousands of outputs to one address, replaced by another', () => {
  let test: BitcoinTest;
  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  it('holds up no other payment of its network, and leaves to each output what it took the place of', async () => {
    const [address, other] = [await test.issue('pi_1'), await test.issue('pi_other')];
    const coin = await largestCoin();
    await send(coin, address, DUST, 1_000_000n);
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(Array(OUTPUTS).fill('mempool'));

    await send(coin, address, DUST + 1n, 3_000_000n);
    await test.node.send({ [other]: '0.5' });
    await test.catchUp();
    await test.node.mine(1);
    await test.catchUp();
    expect(await test.states('pi_other')).toEqual(['included']);
    const transfers = await test.transfers('pi_1');
    const [live, lost] = [false, true].map((gone) =>
      transfers.filter(({ superseded }) => superseded === gone),
    );
    expect([live!.length, lost!.length]).toEqual([OUTPUTS, OUTPUTS]);
    expect(new Set(live![0]!.inPlaceOf)).toEqual(new Set(lost));
    expect(new Set(live!.map(({ inPlaceOf }) => inPlaceOf)).size).toBe(1);
  });

  interface Coin {
    readonly txid: string;
    readonly vout: number;
    readonly amount: number;
  }

  async function largestCoin(): Promise<Coin> {
    const coins = await test.node.wallet.call<Coin[]>('listunspent', 1);
    return coins.sort((a, b) => b.amount - a.amount)[0]!;
  }

  /** The node makes transactions of different addresses only: one output is made by it, and then repeated. */
  async function send(
    { txid, vout, amount }: Coin,
    address: string,
    atoms: bigint,
    fee: bigint,
  ): Promise<void> {
    const change = BigInt(Math.round(amount * Number(LTC))) - BigInt(OUTPUTS) * atoms - fee;
    const made = await test.node.wallet.call<string>(
      'createrawtransaction',
      [{ txid, vout, sequence: 0xfffffffd }],
      [{ [address]: coinsOf(atoms) }, { [await test.node.newAddress()]: coinsOf(change) }],
    );
    // Version, one input without a script; then the count, two outputs to witness keys, and the lock time.
    const [inputs, output, last, lock] = [
      made.slice(0, 92),
      made.slice(94, 156),
      made.slice(156, 218),
      made.slice(218),
    ];
    const count = Buffer.from([0xfd, (OUTPUTS + 1) & 0xff, (OUTPUTS + 1) >> 8]).toString('hex');
    const raw = inputs + count + output.repeat(OUTPUTS) + last + lock;
    const { hex } = await test.node.wallet.call<{ hex: string }>('signrawtransactionwithwallet', raw);
    await test.node.rpc.call('sendrawtransaction', hex, 0);
  }
});

const coinsOf = (atoms: bigint) => `${atoms / LTC}.${(atoms % LTC).toString().padStart(8, '0')}`;
