import { randomUUID } from 'node:crypto';
import { type Address, type Hex, parseEther } from 'viem';
import type { Transfer } from '../../../src/modules/chains/chains.types.js';
import type { FoundTransfer } from '../../../src/modules/chains/data/ledger.types.js';
import { ReconciliationRepository } from '../../../src/modules/chains/reconciliation/data/reconciliation.repository.js';
import { sumCountingBy } from '../../../src/modules/intents/domain/observed.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { presentTerm } from '../../chain/term.js';

// A call that is mined again after a reorganisation pays what the chain says then: another amount, or somebody else.

const { till, turner } = compileContracts();
const DUST = 1_000n;
const PRICE = 7_000_000n;
const caller = anvilAccount(6).address;

let test: ChainTest;
let at: Address;

beforeEach(async () => {
  test = await ChainTest.start();
  at = await test.deploy(till);
  await test.mine(3);
  await test.catchUp();
});
afterEach(() => test.stop());

const only = async (subject: string): Promise<Transfer> => {
  const transfers = await test.transfers(subject);
  const included = transfers.filter(({ state }) => state === 'included');
  expect(included).toHaveLength(1);
  return included[0]!;
};

/** The till's token or coin is paid in one block, taken back, and paid again after `meanwhile`. */
async function paidAgain(txid: Hex, meanwhile: () => Promise<unknown>): Promise<void> {
  const raw = await test.rawTransaction(txid);
  await test.reorganise(1);
  await test.catchUp();
  // Blocks of one second have one time.
  await test.anvil.testClient.increaseTime({ seconds: 60 });
  await meanwhile();
  await test.mine();
  await test.anvil.testClient.sendRawTransaction({ serializedTransaction: raw as Hex });
  await test.mine();
  await test.catchUp();
}

const emptyToken = (to: Address) =>
  test.anvil.testClient.writeContract({
    account: caller,
    address: at,
    abi: till.abi,
    functionName: 'empty',
    gas: 200_000n,
    args: [test.anvil.tokens.USDC.address, to],
  });

describe('a transaction that comes back in another block', () => {
  it('with more than before counts early for what it paid before, and for the rest from its new block', async () => {
    const to = await test.issue('pi_1');
    await test.sendToken(at, DUST);
    await test.mine();
    const txid = await emptyToken(to);
    await test.mine();
    await test.catchUp();
    const before = await only('pi_1');
    expect(before).toMatchObject({ txid, amountAtoms: DUST, inPlaceOf: [] });
    await paidAgain(txid, () => test.sendToken(at, PRICE - DUST));
    const after = await only('pi_1');
    expect(after).toMatchObject({
      txid,
      output: before.output,
      amountAtoms: PRICE,
      inPlaceOf: [{ id: before.id }],
    });
    expect(sumCountingBy([after], before.observedAt)).toBe(DUST);
    expect(after.observedAt.getTime()).toBeGreaterThan(before.observedAt.getTime());
    expect(after.firstSeenAt.getTime()).toBeGreaterThan(before.firstSeenAt.getTime());
  });

  it('in coin by an internal call does so too', async () => {
    const to = await test.issue('pi_1');
    await test.send(at, '0.001');
    await test.mine();
    const txid = await test.anvil.testClient.writeContract({
      account: caller,
      address: at,
      abi: till.abi,
      functionName: 'empty',
      gas: 200_000n,
      args: [to],
    });
    await test.mine();
    await test.catchUp();
    const before = await only('pi_1');
    expect(before.amountAtoms).toBe(parseEther('0.001'));
    await paidAgain(txid, () => test.send(at, '0.5'));
    const after = await only('pi_1');
    expect(after).toMatchObject({ txid, amountAtoms: parseEther('0.501') });
    expect(sumCountingBy([after], before.observedAt)).toBe(parseEther('0.001'));
    expect(after.observedAt.getTime()).toBeGreaterThan(before.observedAt.getTime());
  });

  it('with the same amount was there when it was first', async () => {
    const to = await test.issue('pi_1');
    await test.sendToken(at, PRICE);
    await test.mine();
    const txid = await emptyToken(to);
    await test.mine();
    await test.catchUp();
    const before = await only('pi_1');
    await paidAgain(txid, () => Promise.resolve());
    expect(await only('pi_1')).toMatchObject({
      id: before.id,
      amountAtoms: PRICE,
      inPlaceOf: [],
      observedAt: before.observedAt,
      firstSeenAt: before.firstSeenAt,
    });
  });
});

it('two payments that trade places within their transaction keep the times of both', async () => {
  const [one, two] = [await test.issue('pi_1'), await test.issue('pi_2')];
  const pays = await test.deploy(turner);
  const value = parseEther('0.3');
  const txid = await test.anvil.testClient.writeContract({
    account: caller,
    address: pays,
    abi: turner.abi,
    functionName: 'pay',
    gas: 200_000n,
    value,
    args: [one, two, parseEther('0.1'), parseEther('0.2')],
  });
  await test.mine();
  await test.catchUp();
  const before = [await only('pi_1'), await only('pi_2')];
  await paidAgain(txid, async () => {
    const turn = { account: anvilAccount(7).address, address: pays, abi: turner.abi } as const;
    await test.anvil.testClient.writeContract({ ...turn, functionName: 'turn', gas: 100_000n });
  });
  const after = [await only('pi_1'), await only('pi_2')];
  expect(after.map(({ output }) => output)).toEqual(before.map(({ output }) => output).reverse());
  expect(after).toMatchObject(before.map(({ amountAtoms }) => ({ txid, amountAtoms })));
  const early = after.map((transfer, i) => sumCountingBy([transfer], before[i]!.observedAt));
  expect(early).toEqual(before.map(({ amountAtoms }) => amountAtoms));
});

describe('a movement that is written again', () => {
  const THEN = new Date('2026-01-01T00:00:00.000Z');
  const LATER = new Date('2026-01-01T00:01:00.000Z');
  const NOW = new Date('2026-01-01T01:00:00.000Z');
  const found = { txid: '0x1', output: 'log:0', subject: 'pi_1', amountAtoms: 100n };
  const LOST = `state = 'orphaned', missing_since = now(), block_height = NULL, block_hash = NULL, block_time = NULL`;

  /** A transfer of 100, of which 30 were there then and the rest later, changed as given, and then written again. @returns what stands now */
  async function again(change: string, written: Partial<FoundTransfer>): Promise<Transfer> {
    test.leaveUncompared('its transfer is in no block');
    const [to, other] = [await test.issue('pi_1'), await test.issue('pi_2')].map((a) => a.toLowerCase());
    const { dataSource } = test.chains;
    await dataSource.query(
      `INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state, block_height,
                             block_hash, block_time, handed_on, in_place_of, first_seen_at, missing_since, replaced_by, superseded)
       VALUES ('ethereum', 'evm', 'tr_0', '0x0', 'log:0', 'USDC', $1, 'pi_1', 30, 'orphaned', NULL, NULL, NULL, '{rpl_0}', '{}', $2, $3,
               '0x1', true),
              ('ethereum', 'evm', 'tr_1', '0x1', 'log:0', 'USDC', $1, 'pi_1', 100, 'included', 1, '0x01', $3, '{}', '{rpl_0}', $3,
               NULL, NULL, false)`,
      [to, THEN, LATER],
    );
    await dataSource.query(`UPDATE transfer SET ${change} WHERE id = 'tr_1'`);
    const address = written.subject === 'pi_2' ? other! : to!;
    await test.write([{ ...found, ...written, address }], NOW);
    return only(written.subject ?? 'pi_1');
  }

  const early = (transfer: Transfer) => [THEN, LATER].map((moment) => sumCountingBy([transfer], moment));

  it.each<[string, Partial<FoundTransfer>, readonly [then: bigint, later: bigint], Date]>([
    ['the same', {}, [30n, 100n], LATER],
    ['less than its first part', { amountAtoms: 20n }, [20n, 20n], NOW],
    ['less', { amountAtoms: 50n }, [30n, 50n], NOW],
    ['more', { amountAtoms: 1_000n }, [30n, 100n], NOW],
    ['to somebody else', { subject: 'pi_2' }, [0n, 0n], NOW],
    ['in another asset', { asset: 'USDT', amountAtoms: 50n }, [0n, 0n], NOW],
  ])('pays %s: what was there before keeps its time', async (_what, written, counted, observedAt) => {
    const transfer = await again(LOST, written);
    expect(early(transfer)).toEqual(counted);
    expect(transfer.observedAt).toEqual(observedAt);
  });

  it('keeps the time of its block, whatever a node says of the same block the second time', async () => {
    const { hash } = (await test.chains.ledger.cursor('ethereum'))!;
    const transfer = await again(`block_hash = '${hash}'`, {});
    expect(transfer).toMatchObject({ blockHash: hash, blockTime: LATER });
  });

  it('has the time of another block, once it is in that', async () => {
    expect(await again(`block_hash = '0x02'`, {})).toMatchObject({ blockTime: NOW });
  });

  it('where another content still stands leaves that missing', async () => {
    const transfer = await again('final = true', { amountAtoms: 50n });
    expect(early(transfer)).toEqual([30n, 50n]);
    expect(await test.transfers('pi_1')).toContainEqual(
      expect.objectContaining({ id: 'tr_1', state: 'orphaned', superseded: true, replacedBy: '0x1' }),
    );
  });

  it('after another was credited in its place keeps no time of its own', async () => {
    const transfer = await again(`${LOST}, superseded = true, replaced_by = '0x2'`, { amountAtoms: 500n });
    expect(early(transfer)).toEqual([0n, 0n]);
  });

  it('of an address that had it before it was issued is no payment, whatever it pays then', async () => {
    const transfer = await again(`${LOST}, before_issue = true`, { amountAtoms: 500n });
    expect(transfer).toMatchObject({ beforeIssue: true, inPlaceOf: [] });
  });

  it('in part, by a comparison, takes nothing from what the same transaction pays to others', async () => {
    test.leaveUncompared('its transfers are in no block');
    const [one, two] = [(await test.issue('pi_1')).toLowerCase(), (await test.issue('pi_2')).toLowerCase()];
    const { dataSource, app } = test.chains;
    await dataSource.query(
      `INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state, missing_since)
       VALUES ('ethereum', 'evm', 'tr_1', '0x1', 'log:0', 'USDC', $1, 'pi_1', 100, 'orphaned', now()),
              ('ethereum', 'evm', 'tr_2', '0x1', 'log:1', 'USDC', $2, 'pi_2', 100, 'orphaned', now())`,
      [one, two],
    );
    const { height, hash } = (await test.chains.ledger.cursor('ethereum'))!;
    const more = {
      txid: '0x1',
      output: 'log:5',
      asset: 'USDC',
      address: one,
      subject: 'pi_1',
      amountAtoms: 100n,
      sender: null,
      nonce: null,
      payers: [],
      block: { height, hash, time: new Date() },
    };
    const repository = app.get(ReconciliationRepository, { strict: false });
    const claim = randomUUID();
    await repository.claim('ethereum', claim, { leaseS: 900, recentEveryS: 600, roundEveryS: 86_400 });
    expect(await repository.comparing('ethereum', claim, { height, hash })).toBe(true);
    await repository.append(
      await presentTerm(dataSource, 'ethereum'),
      'evm',
      'ETH',
      { height, hash },
      {
        transfers: [more],
        spends: new Map(),
      },
    );
    const superseded = async (subject: string) =>
      (await test.transfers(subject)).map(({ output, superseded: is }) => [output, is]).sort();
    expect(await superseded('pi_1')).toEqual([
      ['log:0', true],
      ['log:5', false],
    ]);
    expect(await superseded('pi_2')).toEqual([['log:1', false]]);
  });
});
