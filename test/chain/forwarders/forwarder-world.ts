import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem';
import { forwarderFactory } from '../../../src/modules/chains/forwarders.types.js';
import { deploy } from '../../../src/modules/sandbox/local/evm/deploy.js';
import { ForwarderModel, type Op, PLENTY, SLOTS, slotsOf } from '../../model/forwarder-model.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import {
  ANYBODY,
  type Call,
  COIN,
  collectAll,
  collectOne,
  deployFactory,
  depositOf,
  EVERYTHING,
  PAYER,
  saltOf,
} from './collecting.js';
import { compileWild, TOKEN_MODES, WALLET_MODES } from './wild-contracts.js';

type Wild = ReturnType<typeof compileWild>;

/** Where the contracts are. */
interface Deployed {
  readonly payer: Address;
  readonly reader: Address;
  readonly wallet: Address;
  readonly tokens: readonly Address[];
}

/** What is sent for one sequence: on deposit addresses of its own, to a plain account and to the contract of a wallet. */
class SequenceCalls {
  readonly assets: readonly Address[];
  /** Whose balances the model knows: the deposit addresses, then the destinations. */
  readonly holders: readonly Address[];
  private readonly destinations: readonly Address[];
  private readonly salts: readonly Hex[];
  private readonly deposits: readonly Address[];

  constructor(
    private readonly wild: Wild,
    private readonly at: Deployed,
    sequence: number,
  ) {
    const account: Address = `0x${(0xd0_0000_0000n + BigInt(sequence)).toString(16).padStart(40, '0')}`;
    this.destinations = [account, at.wallet];
    this.salts = Array.from({ length: SLOTS }, (_, slot) => saltOf(sequence * SLOTS + slot));
    this.deposits = this.salts.map((salt, slot) => depositOf(this.destinations[slot % 2]!, salt));
    this.holders = [...this.deposits, ...this.destinations];
    this.assets = [COIN, ...at.tokens];
  }

  /** Tells the contracts what they collect when they call back in the middle of a collection. */
  setUp(): Call[] {
    const { tokens, wallet } = this.at;
    return [
      ...tokens.flatMap((token, i) => [this.prepare(token, i + 1, 0), this.prepare(token, i + 1, 1)]),
      this.prepare(wallet, 0, 1),
    ];
  }

  of(op: Op): Call {
    const to = this.assets[op.op === 'walletMode' ? 0 : 'asset' in op ? op.asset : 0]!;
    switch (op.op) {
      case 'deposit':
        if (op.asset > 0) return this.token(to, 'mint', this.deposits[op.slot], BigInt(op.amount));
        if (op.way === 'plain') return { to: this.deposits[op.slot]!, value: BigInt(op.amount), gas: 21_100 };
        return {
          to: this.at.payer,
          value: BigInt(op.amount),
          data: encodeFunctionData({
            abi: this.wild.payer.abi,
            functionName: op.way,
            args: [this.deposits[op.slot]],
          }),
        };
      case 'collectAll': {
        const salts = op.slots.map((each) => this.saltsOf(op.destination)[each]!);
        return { ...collectAll(this.destinations[op.destination]!, to, salts), gas: op.gas };
      }
      case 'collectOne':
        return collectOne(this.deposits[op.slot]!, to, op.most === null ? EVERYTHING : BigInt(op.most));
      case 'tokenMode':
        return this.token(to, 'set', BigInt(TOKEN_MODES.indexOf(op.mode)));
      case 'walletMode':
        return this.token(this.at.wallet, 'set', BigInt(WALLET_MODES.indexOf(op.mode)));
      case 'freeze':
        return this.token(to, 'freeze', this.deposits[op.slot], op.frozen);
    }
  }

  /** All tokens and the wallet do as they should, and no address is frozen. */
  mending(): Call[] {
    const { tokens, wallet } = this.at;
    return [
      ...[...tokens, wallet].map((contract) => this.token(contract, 'set', 0n)),
      ...tokens.flatMap((token) =>
        this.deposits.map((deposit) => this.token(token, 'freeze', deposit, false)),
      ),
    ];
  }

  /** All of every asset, for each destination. */
  collectingAll(): Call[] {
    return this.assets.flatMap((asset) =>
      this.destinations.map((destination, i) => collectAll(destination, asset, this.saltsOf(i))),
    );
  }

  private prepare(contract: Address, asset: number, destination: number): Call {
    const to = this.destinations[destination]!;
    return this.token(
      contract,
      'prepare',
      to,
      collectAll(to, this.assets[asset]!, this.saltsOf(destination)).data!,
    );
  }

  /** The wallet has the same functions. */
  private token(to: Address, functionName: string, ...args: unknown[]): Call {
    return { to, data: encodeFunctionData({ abi: this.wild.token.abi, functionName, args }) };
  }

  private saltsOf(destination: number): Hex[] {
    return slotsOf(destination).map((slot) => this.salts[slot]!);
  }
}

/** Sequences of payments and collections on a real node, each on addresses of its own, held against the model. */
export class ForwarderWorld {
  private nonce = 0;
  private sequence = 0;
  /** Told of all transactions of a block, after it. */
  mined: (hashes: readonly Hex[]) => Promise<void> = () => Promise.resolve();

  private constructor(
    readonly anvil: TestAnvil,
    private readonly wild: Wild,
    private readonly at: Deployed,
  ) {}

  /** @param stepsTracing keeps every step, for whoever looks at what was executed */
  static async start({ stepsTracing = false } = {}): Promise<ForwarderWorld> {
    const anvil = await startTestAnvil({ automine: true, stepsTracing });
    const wild = compileWild();
    await deployFactory(anvil.rpcUrl);
    const make = (name: keyof Wild, ...args: unknown[]) =>
      deploy(anvil.rpcUrl, encodeDeployData({ ...wild[name], args }), name);
    // A hex digit more behind the arguments gives the same contract another address.
    const second = await deploy(
      anvil.rpcUrl,
      `${encodeDeployData({ ...wild.token, args: [forwarderFactory.address] })}00`,
      'token',
    );
    const at = {
      payer: await make('payer'),
      reader: await make('reader'),
      wallet: await make('wallet', forwarderFactory.address),
      tokens: [await make('token', forwarderFactory.address), second],
    };
    await anvil.testClient.setAutomine(false);
    await anvil.testClient.setBlockGasLimit({ gasLimit: 1_000_000_000n });
    for (const address of [PAYER, ANYBODY] as const) {
      await anvil.testClient.setBalance({ address, value: 2n ** 120n });
    }
    const world = new ForwarderWorld(anvil, wild, at);
    world.nonce = await anvil.testClient.getTransactionCount({ address: PAYER });
    return world;
  }

  /** @throws Error that says what lies elsewhere than it must */
  async run(ops: readonly Op[]): Promise<void> {
    this.sequence += 1;
    const calls = new SequenceCalls(this.wild, this.at, this.sequence);
    const read = () => this.read(calls.holders);
    const before = await read();
    const setUp = calls.setUp();
    const statuses = (await this.mine([...setUp, ...ops.map((op) => calls.of(op))])).slice(setUp.length);
    const model = new ForwarderModel();
    ops.forEach((op, i) => model.apply(op, statuses[i]!));
    const expected = (lies: readonly (readonly number[])[], paid: readonly (readonly number[])[]) =>
      calls.assets.map((_, asset) => [...lies[asset]!, ...paid[asset]!].join(' ')).join(' | ');
    const found = (now: readonly bigint[]) => {
      const moved = now.map((held, i) => held - before[i]!);
      const { length } = calls.holders;
      return calls.assets
        .map((_, asset) => moved.slice(asset * length, (asset + 1) * length).join(' '))
        .join(' | ');
    };
    this.same('after the sequence', found(await read()), expected(model.lies, model.paid));

    // Whatever was wrong is mended; then anybody collects, and nothing may be left.
    await this.mine(calls.mending());
    await this.mine(calls.collectingAll(), ANYBODY);
    const collected = model.paid.map((paid, asset) =>
      paid.map((sum, d) => slotsOf(d).reduce((all, slot) => all + model.lies[asset]![slot]!, sum)),
    );
    const none = model.lies.map((slots) => slots.map(() => 0));
    this.same('after anybody collected', found(await read()), expected(none, collected));
  }

  /** What the node's own calculation of many addresses is. */
  async addressesByChain(
    destinations: readonly Address[],
    salts: readonly Hex[],
  ): Promise<readonly Address[]> {
    return (await this.view('addresses', [forwarderFactory.address, destinations, salts])) as Address[];
  }

  private same(when: string, found: string, expected: string): void {
    if (found !== expected)
      throw new Error(
        `${when} there is\n${found}\nand it must be\n${expected}\n(addresses, destinations; coin | tokens)`,
      );
  }

  private async read(holders: readonly Address[]): Promise<readonly bigint[]> {
    return (await this.view('balances', [holders, this.at.tokens])) as bigint[];
  }

  private async view(functionName: string, args: readonly unknown[]): Promise<unknown> {
    const { abi } = this.wild.reader;
    const data = encodeFunctionData({ abi, functionName, args });
    const [answer] = await this.ask([
      ['eth_call', [{ to: this.at.reader, data, gas: '0x3b9aca00' }, 'latest']],
    ]);
    return decodeFunctionResult({ abi, functionName, data: answer as Hex });
  }

  /** In one block, in this order. @returns which succeeded */
  async mine(calls: readonly Call[], from: Address = PAYER): Promise<boolean[]> {
    const first =
      from === PAYER ? this.nonce : await this.anvil.testClient.getTransactionCount({ address: from });
    const hashes = await this.ask(
      calls.map(({ value = 0n, gas = PLENTY, ...call }, i) => [
        'eth_sendTransaction',
        [
          {
            from,
            ...call,
            value: numberToHex(value),
            gas: numberToHex(gas),
            gasPrice: numberToHex(10n ** 11n),
            nonce: numberToHex(first + i),
          },
        ],
      ]),
    );
    if (from === PAYER) this.nonce += calls.length;
    await this.ask([['evm_mine', []]]);
    const receipts = await this.ask(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
    await this.mined(hashes as Hex[]);
    return receipts.map((receipt) => (receipt as { status: Hex }).status === '0x1');
  }

  private async ask(
    requests: readonly (readonly [method: string, params: readonly unknown[]])[],
  ): Promise<unknown[]> {
    if (requests.length === 0) return [];
    const body = JSON.stringify(
      requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
    );
    const response = await fetch(this.anvil.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answers = (await response.json()) as {
      id: number;
      result?: unknown;
      error?: { message: string };
    }[];
    return answers
      .sort((a, b) => a.id - b.id)
      .map(({ result, error }) => {
        if (error) throw new Error(error.message);
        return result;
      });
  }
}
