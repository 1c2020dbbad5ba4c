import type { Transfer } from '../../../src/modules/chains/chains.types.js';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { BitcoinReconciler } from '../../../src/modules/chains/reconciliation/bitcoin-reconciler.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { presentTerm } from '../../chain/term.js';
import { expectChainClean } from '../../support/nodes/chain-check.js';
import { coinKeyOf } from '../../support/nodes/coin-key.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';

describeOnNode()('a Bitcoin-like network compared with its chain', () => {
  let test: BitcoinTest;
  let reconciliation: ReconciliationService;

  beforeAll(async () => {
    test = await BitcoinTest.start({ settlementDepths: [1, 2, 3, 3] });
    reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
  });
  afterAll(() => test?.stop());

  const { query } = { query: (sql: string, values?: unknown[]) => test.chains.dataSource.query(sql, values) };
  const step = async () => reconciliation.step(await presentTerm(test.chains.dataSource, test.network.id));

  const check = async () => (await reconciliation.check())[0]!;

  async function bury(): Promise<void> {
    await test.node.mine(3);
    await test.catchUp();
  }

  async function compare(): Promise<void> {
    await query(
      'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL, whole_at = NULL',
    );
    while (await step());
  }

  /** The watcher is told that it has seen what it has not. */
  async function pastTheWatcher(): Promise<void> {
    const height = await test.node.height();
    const hash = await test.node.rpc.call<string>('getblockhash', height);
    await query('UPDATE chain_cursor SET height = $1, hash = $2', [height, hash]);
    await query('UPDATE cursor_asset SET covered_height = $1', [height]);
    await query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [
      test.network.id,
      height,
      hash,
    ]);
    test.restart();
  }

  /** The owner of an address moves on what a transaction paid to it (0.375). */
  async function spend(txid: string, address: string, index: number): Promise<void> {
    const { rpc, wallet } = test.node;
    type Paid = { details: { address: string; vout: number }[] };
    const { details } = await wallet.call<Paid>('gettransaction', txid);
    const coin = { txid, vout: details.find((one) => one.address === address)!.vout };
    const outputs = { [await test.node.newAddress()]: '0.374' };
    const raw = await rpc.call<string>('createrawtransaction', [coin], outputs);
    const own = coinKeyOf(test.database.url, index);
    const signed = await rpc.call<{ hex: string }>('signrawtransactionwithkey', raw, [own]);
    await rpc.call('sendrawtransaction', signed.hex, 0);
  }

  it('is clean where the watcher has seen everything, spent outputs included', async () => {
    const address = await test.issue('pi_seen');
    await test.node.send({ [address]: '0.5' });
    await bury();
    expect(await check()).toMatchObject({ verdict: 'clean', compared: 1, incomparable: {} });
  });

  it('finds a payment that was put past the watcher, and records it as the watcher would have', async () => {
    const address = await test.issue('pi_missed');
    const { txid } = await test.node.send({ [address]: '0.25' });
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    expect(await test.transfers('pi_missed')).toEqual([]);
    const verdict = await check();
    expect(verdict.verdict).toBe('different');
    expect(verdict.differences[0]).toMatchObject({
      kind: 'unrecorded',
      address,
      chainAtoms: 25_000_000n,
      recordedAtoms: 0n,
      txids: [txid],
    });
    await query('DELETE FROM fact_change');
    await compare();
    expect(await test.transfers('pi_missed')).toMatchObject([
      // Nobody looked when it came: the block's own time counts, or our fault would make a buyer late.
      { txid, amountAtoms: 25_000_000n, state: 'included', blindSince: new Date(0) },
    ]);
    const [{ blockTime, observedAt, firstSeenAt }] = (await test.transfers('pi_missed')) as [Transfer];
    expect(observedAt).toEqual(blockTime! < firstSeenAt ? blockTime : firstSeenAt);
    expect(await test.woken()).toContain('pi_missed');
    await expectChainClean(test.chains.app);
  });

  it('has what it records take the place of what cannot be mined beside it, so that no money counts twice', async () => {
    const address = await test.issue('pi_rival');
    const first = await test.node.send({ [address]: '0.1' });
    await test.catchUp();
    expect(await test.states('pi_rival')).toEqual(['mempool']);
    const txid = await test.node.spend(first, { [address]: '0.2' }, '0.01');
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    await compare();
    const transfers = await test.transfers('pi_rival');
    expect(transfers.find((one) => one.txid === txid)).toMatchObject({ state: 'included' });
    expect(transfers.filter((one) => one.txid !== txid)).toMatchObject([
      { superseded: true, replacedBy: txid },
    ]);
    await expectChainClean(test.chains.app);
  });

  it('writes nothing, not even a difference, once another instance watches', async () => {
    await test.node.send({ [await test.issue('pi_stale')]: '0.25' });
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    const differences = () => query('SELECT * FROM chain_difference ORDER BY seen_at');
    await query(
      'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL, whole_at = NULL',
    );
    const before = await differences();
    const stale = await presentTerm(test.chains.dataSource, test.network.id);
    await query('UPDATE watch_lease SET term = term + 1');
    await expect(reconciliation.step(stale)).rejects.toThrow('another instance watches');
    expect(await differences()).toEqual(before);
    await compare();
    expect(await test.states('pi_stale')).toEqual(['included']);
  });

  it('finds what the owner has moved away since, by the blocks, and reports no spending as a difference', async () => {
    const [key] = await test.chains.dataSource.query<[{ next_index: number }]>(
      'SELECT next_index FROM extended_key',
    );
    const address = await test.issue('pi_moved');
    const { txid } = await test.node.send({ [address]: '0.375' });
    await test.node.mine();
    await spend(txid, address, key.next_index);
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    // No unspent output tells of it any more.
    expect((await check()).differences).toMatchObject([{ kind: 'unrecorded', address, txids: [txid] }]);
    await compare();
    expect(await test.transfers('pi_moved')).toMatchObject([
      { txid, amountAtoms: 37_500_000n, state: 'included' },
    ]);
    await expectChainClean(test.chains.app);
  });

  it('finds one that the watcher last saw waiting', async () => {
    const address = await test.issue('pi_waiting');
    const { txid } = await test.node.send({ [address]: '0.125' });
    await test.catchUp();
    expect(await test.states('pi_waiting')).toEqual(['mempool']);
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    await compare();
    expect(await test.transfers('pi_waiting')).toMatchObject([{ txid, state: 'included' }]);
    await expectChainClean(test.chains.app);
  });

  it('reports what is recorded and not on the chain, and changes nothing', async () => {
    await query(`UPDATE transfer SET amount_atoms = amount_atoms + 1 WHERE subject = 'pi_seen'`);
    const { differences } = await check();
    // The unspent output is on record by its transaction and place: only its amount differs, which the blocks tell.
    expect(differences).toMatchObject([
      { kind: 'missing', chainAtoms: 50_000_000n, recordedAtoms: 50_000_001n },
    ]);
    await compare();
    expect(await test.transfers('pi_seen')).toMatchObject([{ amountAtoms: 50_000_001n }]);
    await query(`UPDATE transfer SET amount_atoms = amount_atoms - 1 WHERE subject = 'pi_seen'`);
    await expectChainClean(test.chains.app);
  });

  it('records what an address held before it was issued as such, spent or not, and clean it is', async () => {
    const [key] = await test.chains.dataSource.query<[{ xpub: string; next_index: number }]>(
      'SELECT xpub, next_index FROM extended_key',
    );
    const { address } = deriveAddress(test.network, key.xpub, key.next_index);
    const earlier = await test.node.send({ [address]: '0.75' });
    await bury();
    expect(await test.issue('pi_earlier')).toBe(address);
    const { txid } = await test.node.send({ [address]: '0.5' });
    await bury();
    // Once by the set of unspent outputs, once by the blocks.
    const difference = { kind: 'unrecorded', txids: [earlier.txid] };
    expect((await check()).differences).toMatchObject([difference, difference]);
    await compare();
    // Blocks have whole seconds: the two may have one time, and then come in either order.
    const found = new Map((await test.transfers('pi_earlier')).map((transfer) => [transfer.txid, transfer]));
    expect(found.size).toBe(2);
    expect(found.get(earlier.txid)).toMatchObject({ beforeIssue: true, state: 'included' });
    expect(found.get(txid)).toMatchObject({ beforeIssue: false });
    await expectChainClean(test.chains.app);
  });

  it('does not take newly mined coins for a payment', async () => {
    const address = await test.issue('pi_miner');
    await test.node.rpc.call('generatetoaddress', 1, address);
    await bury();
    await compare();
    expect(await test.transfers('pi_miner')).toEqual([]);
    await expectChainClean(test.chains.app);
  });

  /** A round that begins where the last one ended: what is below is not read again. */
  async function compareNew(): Promise<void> {
    await query(
      `UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL, whole_at = clock_timestamp(),
              compared_height = (SELECT height FROM chain_cursor) - 3`,
    );
    while (await step());
  }

  /** A difference that was found ten minutes ago, in a block that is not read any more. */
  async function differenceOf(txid: string, address: string, chainAtoms: bigint): Promise<void> {
    await query(
      `INSERT INTO chain_difference (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids, seen_at)
       VALUES ($1, $2, $3, 'unrecorded', $4, 0, 1, ARRAY[$5], clock_timestamp() - interval '10 minutes')`,
      [test.network.id, address, test.network.assets[0]!.symbol, chainAtoms, txid],
    );
  }

  it('ends a difference of a block that is not read any more once it is recorded, and goes on past any other', async () => {
    const [{ txid, address, amountAtoms }] = (await test.transfers('pi_missed')) as [Transfer];
    await query('DELETE FROM chain_difference');
    await differenceOf(txid, address, amountAtoms);
    await differenceOf('00'.repeat(32), await test.issue('pi_pruned'), 1n);
    await bury();
    await compareNew();
    const standing = await reconciliation.differences(test.network.id);
    expect(standing).toMatchObject([{ txids: ['00'.repeat(32)] }]);
    const [row] = await test.chains.dataSource.query<[{ compared_height: string }]>(
      'SELECT compared_height FROM reconciliation',
    );
    expect(Number(row.compared_height)).toBeGreaterThan(1);
    await query('DELETE FROM chain_difference');
  });

  it.each([
    ['goes on where it was, below them', 'bitcoin', -1],
    ['goes back to the first of them', 'bitcoin', 2],
    ['goes back to the first of them', 'litecoin', 2],
  ] as const)('a round under way when blocks are given up %s: %s', async (_what, family, above) => {
    const { ledger, dataSource } = test.chains;
    const cursor = (await ledger.cursor(test.network.id))!;
    const to = await test.node.rpc.call<{ height: number; hash: string; time: number }>(
      'getblockheader',
      await test.node.rpc.call<string>('getblockhash', cursor.height - 4),
    );
    await query(
      `UPDATE reconciliation SET whole_at = clock_timestamp(), round_started_at = clock_timestamp(),
              comparing_height = $1, compared_height = NULL, position = jsonb_build_object('height', $2::bigint)`,
      [cursor.height - 2, to.height + 1 + above],
    );
    const term = await presentTerm(dataSource, test.network.id);
    await ledger.rewind(term, family, cursor, { ...to, time: new Date(to.time * 1_000) });
    const [row] = await dataSource.query<[Record<string, unknown>]>(
      `SELECT position, comparing_height, term, whole_at IS NOT NULL AS whole, round_started_at IS NOT NULL AS started
         FROM reconciliation`,
    );
    expect(row).toEqual({
      position: { height: to.height + 1 + Math.min(above, 0) },
      comparing_height: null,
      term: null,
      whole: true,
      started: true,
    });
    await test.catchUp();
    while (await step());
    await expectChainClean(test.chains.app);
  });

  it('records two payments of one block to one address, and goes on', async () => {
    const address = await test.issue('pi_twice');
    await test.node.send({ [address]: '0.11' });
    await test.node.send({ [address]: '0.12' });
    await test.node.mine();
    await pastTheWatcher();
    await bury();
    await compare();
    expect(await test.states('pi_twice')).toEqual(['included', 'included']);
    await expectChainClean(test.chains.app);
  });

  it('ends a difference of two payments in one block that is not read any more, once both are recorded', async () => {
    const paid = (await test.transfers('pi_twice')) as Transfer[];
    await query('DELETE FROM chain_difference');
    await query(
      `INSERT INTO chain_difference (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids, seen_at)
       VALUES ($1, $2, $3, 'unrecorded', $4, 0, 1, $5, clock_timestamp() - interval '10 minutes')`,
      [
        test.network.id,
        paid[0]!.address,
        paid[0]!.asset,
        String(paid[0]!.amountAtoms + paid[1]!.amountAtoms),
        paid.map(({ txid }) => txid),
      ],
    );
    await compareNew();
    expect(await reconciliation.differences(test.network.id)).toEqual([]);
  });

  it('reads a block again that could not be read when the round began, though the output is spent since', async () => {
    const [key] = await test.chains.dataSource.query<[{ next_index: number }]>(
      'SELECT next_index FROM extended_key',
    );
    const address = await test.issue('pi_first_part');
    const { txid } = await test.node.send({ [address]: '0.375' });
    await test.node.mine();
    await pastTheWatcher();
    for (const _ of [1, 2, 3]) await bury();
    const explain = jest.spyOn(BitcoinReconciler.prototype, 'explain').mockResolvedValueOnce({
      transfers: [],
      spends: new Map(),
      collections: 0,
      failures: [new Error('refused')],
    });
    await compareNew();
    explain.mockRestore();
    expect(await test.states('pi_first_part')).toEqual([]);
    await spend(txid, address, key.next_index);
    await bury();
    await query('UPDATE reconciliation SET round_started_at = NULL');
    while (await step());
    expect(await test.states('pi_first_part')).toEqual(['included']);
    await expectChainClean(test.chains.app);
  });

  it('finds money at an index that was never issued here, passes over it, and goes on behind', async () => {
    test.leaveUncompared('money at an index that nobody was given stays a difference');
    const [key] = await test.chains.dataSource.query<[{ id: string; xpub: string; next_index: number }]>(
      'SELECT id, xpub, next_index FROM extended_key',
    );
    const index = key.next_index + 7;
    const { address } = deriveAddress(test.network, key.xpub, index);
    await test.node.send({ [address]: '0.0625' });
    await test.node.send({ [address]: '0.125' });
    await bury();
    // Two outputs of one block are one row.
    const found = { kind: 'unissued', address, chainAtoms: 18_750_000n, key: { id: key.id, index } };
    expect((await check()).differences).toMatchObject([found]);
    await compare();
    expect(await reconciliation.differences(test.network.id)).toMatchObject(
      expect.arrayContaining([expect.objectContaining(found)]) as object,
    );
    const issued = await test.issue('pi_behind');
    expect(issued).toBe(deriveAddress(test.network, key.xpub, index + 1).address);

    // A skip over many leaves it far behind, and it is looked at all the same.
    const seen = () =>
      test.chains.dataSource.query<object[]>(
        `SELECT FROM chain_difference WHERE kind = 'unissued' AND seen_at > clock_timestamp() - interval '5 minutes'`,
      );
    await query('UPDATE extended_key SET next_index = next_index + 2000');
    await query(`UPDATE chain_difference SET seen_at = seen_at - interval '10 minutes'`);
    expect(await seen()).toHaveLength(0);
    await compare();
    expect(await seen()).toHaveLength(1);
    // Once it is issued all the same, the comparison of issued addresses tells of it.
    await query('UPDATE extended_key SET next_index = $1', [index]);
    await query(`UPDATE chain_difference SET seen_at = seen_at - interval '10 minutes'`);
    expect(await test.issue('pi_issued')).toBe(address);
    await compare();
    expect(await reconciliation.differences(test.network.id)).not.toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: 'unissued' })]) as object,
    );
  });
});
