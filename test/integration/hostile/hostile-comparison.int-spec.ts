import { parseEther } from 'viem';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { BITCOIN_FAULTS } from '../../chain/hostile/bitcoin-matrix.js';
import { EVM_FAULTS } from '../../chain/hostile/evm-matrix.js';
import { pickOf } from '../../chain/hostile/hostile-life.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { SEED } from '../../chain/hostile/hostile-runs.js';
import { presentTerm } from '../../chain/term.js';
import { describeOnNode } from '../../support/nodes/litecoind.js';
import { seededRandom } from '../../support/random.js';
import { runsOf } from '../../support/run/seed.js';

/** Faults of each method, one after the other. */
const ROUNDS = runsOf('HOSTILE_COMPARISONS', 1);
const random = seededRandom(SEED);

interface Compared {
  readonly test: ChainTest | BitcoinTest;
  /** Pays an address in each asset, past the watcher. @returns what is to be recorded of it, once */
  readonly pay: (address: string, n: number) => Promise<readonly bigint[]>;
  readonly mine: (blocks: number) => Promise<unknown>;
  readonly tip: () => Promise<{ readonly height: number; readonly hash: string }>;
}

function comparison({ test, pay, mine, tip }: Compared) {
  const reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
  const query = (sql: string, values?: unknown[]) => test.chains.dataSource.query(sql, values);
  const { id, rpcUrl } = test.network;
  const truths = new Map<string, readonly bigint[]>();
  let standing: readonly string[] = [];

  const bury = async () => {
    await mine(8);
    await test.catchUp();
  };
  /** A whole round; what was found before was found some minutes ago. */
  const compare = async () => {
    await query(`UPDATE chain_difference SET seen_at = seen_at - interval '6 minutes'`);
    await query(
      'UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL, whole_at = NULL',
    );
    while (await reconciliation.step(await presentTerm(test.chains.dataSource, id)));
  };
  const found = async () =>
    (await reconciliation.differences(id)).map(({ kind, asset, address }) => `${kind} ${asset} ${address}`);
  const recorded = async (subject: string) =>
    (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms).sort();
  // Not of the coin, whose balance the watcher compares as well.
  const falsely = (atoms: 1 | -1) =>
    query(
      `UPDATE transfer SET amount_atoms = amount_atoms + $1 WHERE subject = 'pi_false' AND asset <> 'ETH'`,
      [atoms],
    );

  return {
    /** A payment that is recorded otherwise than it was: what stands until a person mends it. */
    async begin() {
      truths.set('pi_false', await pay(await test.issue('pi_false'), 0));
      await bury();
      await falsely(1);
      await compare();
      standing = await found();
      expect(standing.map((one) => one.split(' ')[0])).toEqual(['missing']);
    },
    async suffer(name: string, method: string, node: HostileNode, fault: (typeof EVM_FAULTS)[string]) {
      const subject = `pi_${truths.size}`;
      const address = await test.issue(subject);
      await query(`UPDATE address SET created_at = created_at - interval '30 hours' WHERE subject = $1`, [
        subject,
      ]);
      const truth = await pay(address, truths.size);
      truths.set(subject, truth);
      const { height, hash } = await tip();
      await query('UPDATE chain_cursor SET height = $1, hash = $2', [height, hash]);
      await query('UPDATE cursor_asset SET covered_height = $1', [height]);
      await query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [id, height, hash]);
      await bury();
      node.plan([{ methods: [method], fault }], SEED);
      Object.assign(test.network, { rpcUrl: node.url });
      await compare().catch(() => undefined);
      Object.assign(test.network, { rpcUrl });
      const left = await found();
      const about = `${name} of ${method}`;
      for (const [payment, all] of truths) {
        if (payment === 'pi_false') continue;
        const own = await recorded(payment);
        const invented = own.filter((atoms, i) => !all.includes(atoms) || own.indexOf(atoms) !== i);
        expect([about, payment, invented]).toEqual([about, payment, []]);
      }
      expect([about, standing.filter((one) => !left.includes(one))]).toEqual([about, []]);
    },
    async end() {
      await falsely(-1);
      await compare();
      await compare();
      expect(await found()).toEqual([]);
      for (const [subject, truth] of truths) expect(await recorded(subject)).toEqual([...truth].sort());
    },
  };
}

function everyMethod(
  start: () => Promise<Compared>,
  methods: readonly string[],
  faults: typeof EVM_FAULTS,
): void {
  it(
    'a comparison behind a hostile node records nothing false and ends no true difference',
    async () => {
      process.stderr.write(`HOSTILE_SEED=${SEED} HOSTILE_COMPARISONS=${ROUNDS}\n`);
      const compared = await start();
      const node = await HostileNode.start(compared.test.network.rpcUrl);
      try {
        const { begin, suffer, end } = comparison(compared);
        await begin();
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const method of methods) {
            const [name, fault] = pickOf(random, Object.entries(faults));
            await suffer(name, method, node, fault);
          }
        }
        node.honest();
        await end();
      } catch (error) {
        compared.test.leaveUncompared('it has failed already');
        throw error;
      } finally {
        await node.stop();
        await compared.test.stop();
      }
    },
    60_000 + ROUNDS * methods.length * 20_000,
  );
}

describe('an EVM network', () => {
  const start = async (): Promise<Compared> => {
    const test = await ChainTest.start();
    return {
      test,
      mine: (blocks) => test.mine(blocks),
      tip: async () => {
        const { number, hash } = await test.anvil.testClient.getBlock();
        return { height: Number(number), hash };
      },
      pay: async (address, n) => {
        const [tokens, coin] = [BigInt(10 + n), parseEther('1') + BigInt(n)];
        await test.sendToken(address as `0x${string}`, tokens);
        await test.send(address as `0x${string}`, `1.${String(n).padStart(18, '0')}`);
        await test.mine();
        return [tokens, coin];
      },
    };
  };
  const asked = ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_getTransactionCount'];
  const read = ['eth_getBlockReceipts', 'eth_getTransactionReceipt', 'debug_traceBlockByHash'];
  everyMethod(start, [...asked, ...read], EVM_FAULTS);
});

describeOnNode()('a Bitcoin-like network', () => {
  const start = async (): Promise<Compared> => {
    const test = await BitcoinTest.start({ settlementDepths: [1, 2, 3, 3] });
    return {
      test,
      mine: (blocks) => test.node.mine(blocks),
      tip: async () => {
        const height = await test.node.height();
        return { height, hash: await test.node.rpc.call<string>('getblockhash', height) };
      },
      pay: async (address, n) => {
        // A fraction that a float holds exactly.
        await test.node.send({ [address]: (0.25 + n / 256).toFixed(8) });
        await test.node.mine();
        return [25_000_000n + BigInt(n) * 390_625n];
      },
    };
  };
  const asked = ['getblockchaininfo', 'getblockhash', 'getblockheader', 'getblock'];
  everyMethod(start, [...asked, 'scantxoutset', 'validateaddress'], BITCOIN_FAULTS);
});
