import { type Address, type Hex, keccak256, parseEther, stringToHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { HoldingsService } from '../../../src/modules/chains/forwarders/holdings.service.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { ChainTest, MERCHANT } from '../../chain/chains-fixture.js';
import { collectTo } from '../../chain/forwarders/collect-to.js';
import { ANYBODY, collectAll } from '../../chain/forwarders/collecting.js';

// What was collected is a fact of the chain: it lies in a block, becomes final, and is undone by a reorganisation.

const ATOMS = parseEther('1');
const destination = privateKeyToAddress(generatePrivateKey());

let test: ChainTest;
let holdings: HoldingsService;

beforeAll(async () => {
  test = await ChainTest.start();
  await collectTo(test, destination);
  holdings = test.chains.app.get(HoldingsService, { strict: false });
  await test.catchUp();
});
afterAll(() => test?.stop());

let subjects = 0;
async function paid(token = false): Promise<readonly [subject: string, address: Address]> {
  subjects += 1;
  const subject = `pi_${subjects}`;
  const address = await test.issue(subject);
  if (token) await test.sendToken(address, 7_000_000n);
  else await test.send(address, '1');
  await see();
  return [subject, address];
}
async function see(blocks = 1): Promise<void> {
  await test.mine(blocks);
  await test.catchUp();
}
const saltOf = (subject: string) => keccak256(stringToHex(`${subject}/ethereum/ETH`));
async function collect(token: Address, ...subjects: string[]): Promise<Hex> {
  const { to, data } = collectAll(destination, token, subjects.map(saltOf));
  return test.anvil.testClient.sendTransaction({ account: ANYBODY, to, data: data!, gas: 4_000_000n });
}
const holding = async (subject: string) => {
  const all = await holdings.holdings(MERCHANT, { alsoEmpty: true });
  return all
    .filter((one) => one.subject === subject)
    .map(({ asset, heldAtoms, finalAtoms, collectedAtoms, isDeployed }) => {
      return [asset, heldAtoms, finalAtoms, collectedAtoms, isDeployed];
    });
};

it('is in a block, then final, and lists what lay there before as lying there no more', async () => {
  const [one, other] = [await paid(), await paid(true)];
  expect(await holding(one[0])).toEqual([['ETH', ATOMS, 0n, 0n, false]]);
  await see(6);
  expect(await holding(one[0])).toEqual([['ETH', ATOMS, ATOMS, 0n, false]]);
  const txid = await collect(zeroAddress, one[0]);
  await collect(test.anvil.tokens.USDC.address, other[0]);
  await see();
  expect(await holding(one[0])).toEqual([['ETH', 0n, 0n, ATOMS, true]]);
  expect(await holding(other[0])).toEqual([['USDC', 0n, 0n, 7_000_000n, true]]);
  expect(await holdings.collectedBy(MERCHANT, txid)).toMatchObject([
    { asset: 'ETH', atoms: ATOMS, addresses: 1, isFinal: false },
  ]);
  expect(await holdings.collectedBy('mer_other', txid)).toEqual([]);
  await see(6);
  expect(await holdings.collectedBy(MERCHANT, txid)).toMatchObject([{ isFinal: true }]);
});

it('is undone by a reorganisation, and done again by the next block that holds it', async () => {
  const [subject] = await paid(true);
  await see(6);
  const txid = await collect(test.anvil.tokens.USDC.address, subject);
  await see();
  const raw = await test.rawTransaction(txid);
  await test.reorganise(1);
  await see();
  expect(await holding(subject)).toEqual([['USDC', 7_000_000n, 7_000_000n, 0n, false]]);
  await test.anvil.testClient.sendRawTransaction({ serializedTransaction: raw as Hex });
  await see();
  expect(await holding(subject)).toEqual([['USDC', 0n, 0n, 7_000_000n, true]]);
});

it('takes nothing the second time, and what came late the third', async () => {
  const [subject, address] = await paid();
  await collect(zeroAddress, subject);
  await see();
  const again = await collect(zeroAddress, subject);
  await see();
  expect(await test.anvil.testClient.getTransactionReceipt({ hash: again })).toMatchObject({
    status: 'success',
  });
  expect(await holdings.collectedBy(MERCHANT, again)).toEqual([]);
  await test.send(address, '2');
  await see();
  expect(await holding(subject)).toEqual([['ETH', 2n * ATOMS, 0n, ATOMS, true]]);
  await collect(zeroAddress, subject);
  await see();
  expect(await holding(subject)).toEqual([['ETH', 0n, 0n, 3n * ATOMS, true]]);
});

describe('the comparison with the chain', () => {
  const check = async () => {
    await see(8);
    const [found] = await test.chains.app.get(ReconciliationService, { strict: false }).check();
    return { ...found!, differences: found!.differences.map(({ kind, asset }) => `${kind} ${asset}`) };
  };

  it('compares the coin of addresses that were collected from, too', async () => {
    const [subject, address] = await paid();
    await collect(zeroAddress, subject);
    await see();
    await test.send(address, '1');
    const found = await check();
    expect(found.differences).toEqual([]);
    expect(found.incomparable).toEqual({});
  });

  it('misses coin that is recorded and lies there no more, although the address has code', async () => {
    const [subject, address] = await paid();
    await collect(zeroAddress, subject);
    await see();
    await test.send(address, '1');
    await see();
    await test.anvil.testClient.setBalance({ address, value: ATOMS / 2n });
    expect((await check()).differences).toEqual(['missing ETH']);
    test.leaveUncompared('a balance was lowered by hand');
  });
});
