import { DataSource } from 'typeorm';
import { mnemonicToAccount } from 'viem/accounts';
import { PRESETS } from '../../../src/config/networks.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { NetworksService } from '../../../src/modules/chains/networks/networks.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { WalletsService } from '../../../src/modules/chains/wallets/wallets.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { keyWallet, sayNothingUsed, SILENT_CHAIN, xpubOf } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
/** BIP44's account of the mnemonic that every Ethereum tool ships with, and its published addresses. */
const XPUB = mnemonicToAccount(MNEMONIC, { path: "m/44'/60'/0'" }).getHdKey().publicExtendedKey;
const EVM_ADDRESSES = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
];
/** BIP84's own test vector. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ZPUB_ADDRESSES = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
];
/** The same account's private half, from the same document. */
const ZPRV =
  'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';

const WALLETS = '/dashboard/settings/wallets';

let service: Service;
let shop: { merchantId: string };
let owner: Staff;

beforeAll(async () => {
  const bitcoin = { ...PRESETS.find(({ id }) => id === 'bitcoin')!, rpcUrl: 'http://127.0.0.1:9' };
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000, networks: [bitcoin] });
});
afterAll(async () => {
  await service.stop();
});
beforeEach(async () => {
  shop = await shopOnEthereum();
  owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
});
afterEach(async () => {
  // The vectors are one key each, and a key belongs to one merchant for ever.
  await service.app
    .get(DataSource)
    .query(`UPDATE extended_key SET key_material = id WHERE xpub = ANY ($1)`, [[XPUB, ZPUB]]);
});

async function shopOnEthereum(): Promise<{ merchantId: string }> {
  const { id: merchantId } = await service.app
    .get(MerchantsService)
    .create({ name: 'A Shop' }, 'approved', by('test'));
  const wallet = { merchantId, network: 'ethereum', xpub: xpubOf(merchantId) };
  await service.app.get(ExtendedKeysService).set(wallet, by('test'));
  await sayNothingUsed(service.app.get(DataSource));
  return { merchantId };
}

const wallets = () => service.app.get(WalletsService).list(shop.merchantId);
const audited = () => service.app.get(AuditLog).list(shop.merchantId, 10);

it.each([
  ['ethereum', XPUB, EVM_ADDRESSES],
  ['bitcoin', ZPUB, ZPUB_ADDRESSES],
])(
  'shows the published addresses of a key on %s, and stores it only when they are confirmed',
  async (network, xpub, addresses) => {
    const before = [await wallets(), await audited()];
    const preview = await owner.post(`${WALLETS}/new`, { network, xpub: `\n ${xpub} ` });
    expect(preview.status).toBe(200);
    const shown = preview.html.replaceAll(/<[^>]+>/g, ''); // in groups of four
    for (const address of addresses) expect(shown).toContain(address);
    expect(preview.html).toContain('was not asked to the end');
    expect([await wallets(), await audited()]).toEqual(before);
    const saved = await owner.post(WALLETS, { network, xpub });
    expect([saved.status, saved.location]).toEqual([303, WALLETS]);
    const wallet = (await wallets()).find((one) => one.network === network)!;
    const [entry] = await audited();
    expect(entry).toMatchObject({ actor: owner.email, action: 'wallet.set', subject: network });
    const searched = expect.stringContaining('whether addresses were used there is not known') as string;
    expect(entry!.detail).toMatchObject({ after: keyWallet(wallet).extendedKeyId, nextIndex: 0, searched });
    expect(JSON.stringify(await audited())).not.toContain(xpub);
    const name = service.app.get(NetworksService).nameOf(network);
    expect((await owner.get('/dashboard/settings/audit')).html).toContain(`<bdi>${name}</bdi>`);
    const { html } = await owner.get(WALLETS);
    expect(html).toContain(`${xpub.slice(0, 8)}…${xpub.slice(-6)}`);
    expect(html).not.toContain(xpub);
  },
);

it('gives the next quote an address of the new key, and knows the old one still', async () => {
  const money = new Money(service);
  const earlier = await money.picked(shop.merchantId);
  await owner.post(WALLETS, { network: 'ethereum', xpub: XPUB });
  await sayNothingUsed(service.app.get(DataSource));
  const later = await money.picked(shop.merchantId);
  const { html } = await owner.get(`/dashboard/payments/${later}`);
  expect(html).toContain(EVM_ADDRESSES[0]);
  const listed = await owner.get(`${WALLETS}/addresses`);
  expect([
    listed.html.includes(later),
    listed.html.includes(earlier),
    listed.html.includes('replaced'),
  ]).toEqual([true, false, true]);
  const [oldKey] = await service.app.get(ExtendedKeysService).list(shop.merchantId);
  expect((await owner.get(`${WALLETS}/addresses?key=${oldKey!.id}`)).html).toContain(earlier);
});

it.each([
  ['an extended private key', ZPRV, 'This is a private key'],
  ['a raw private key', `0x${'ab'.repeat(32)}`, 'This is a private key'],
  ['a seed phrase', MNEMONIC, 'This is a private key'],
  ['a seed phrase with a slip', `${MNEMONIC} x`, 'open the details of the account'],
  ['nothing', '', 'open the details of the account'],
])('refuses %s on the form and on the confirmation, and never shows it again', async (_, secret, problem) => {
  const before = [await wallets(), await audited()];
  for (const path of [`${WALLETS}/new`, WALLETS]) {
    const answer = await owner.post(path, { network: 'ethereum', xpub: secret });
    expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
    if (secret !== '') expect(answer.html).not.toContain(secret);
  }
  expect([await wallets(), await audited()]).toEqual(before);
});

it.each([
  ['ethereum', ZPUB, 'letters and digits that begin with xpub.'],
  ['ethereum', XPUB.slice(0, -1), 'Copy the whole key from your wallet again.'],
  ['bitcoin', `${ZPUB.slice(0, -1)}t`, 'Copy the whole key from your wallet again.'],
  ['tron', XPUB, 'There is no network'],
])('refuses on %s what does not fit, and keeps it in the form', async (network, xpub, problem) => {
  const before = [await wallets(), await audited()];
  const answer = await owner.post(`${WALLETS}/new`, { network, xpub });
  expect([answer.status, answer.html.includes(problem), answer.html.includes(xpub)]).toEqual([
    422,
    true,
    true,
  ]);
  expect([await wallets(), await audited()]).toEqual(before);
});

it('refuses a key that another merchant uses, before and after the comparison', async () => {
  const other = await shopOnEthereum();
  const xpub = xpubOf(other.merchantId);
  for (const path of [`${WALLETS}/new`, WALLETS]) {
    const answer = await owner.post(path, { network: 'ethereum', xpub });
    expect([answer.status, answer.html.includes('already in use by another merchant')]).toEqual([409, true]);
  }
});

it('asks for a fresh sign-in before a wallet is set', async () => {
  await service.app.get(DataSource).query(
    `UPDATE session SET proven_at = clock_timestamp() - interval '11 minutes'
     WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [owner.email],
  );
  for (const path of [`${WALLETS}/new`, WALLETS, `${WALLETS}/skip`]) {
    const answer = await owner.post(path, { network: 'ethereum', xpub: XPUB, to: '10' });
    expect(answer.location).toMatch(/^\/dashboard\/confirm/);
  }
  expect((await owner.get(`${WALLETS}/new?network=bitcoin`)).location).toContain(
    encodeURIComponent('network=bitcoin'),
  );
  expect((await owner.get(WALLETS)).status).toBe(200);
});

it('skips addresses forward, and refuses to go back', async () => {
  const skipped = await owner.post(`${WALLETS}/skip`, { network: 'ethereum', to: '40' });
  expect(skipped.status).toBe(303);
  expect(keyWallet((await wallets())[0]).nextIndex).toBe(40);
  expect((await audited())[0]).toMatchObject({ action: 'wallet.skipped', detail: { before: 0, after: 40 } });
  for (const [to, status] of [
    ['39', 409],
    ['', 422],
    ['many', 422],
    ['-1', 422],
  ] as const) {
    const answer = await owner.post(`${WALLETS}/skip`, { network: 'ethereum', to });
    expect([to, answer.status]).toEqual([to, status]);
  }
  expect(keyWallet((await wallets())[0]).nextIndex).toBe(40);
});

it('lists what was issued, page by page and as a file, with what arrived', async () => {
  const money = new Money(service);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(await money.picked(shop.merchantId));
  await money.record(ids[1]!, { percent: 60 });
  await money.record(ids[1]!, { percent: 100, asset: 'USDT' });
  const other = await shopOnEthereum();
  const theirs = await money.picked(other.merchantId);
  const { html } = await owner.get(`${WALLETS}/addresses`);
  expect(html.indexOf(ids[2]!)).toBeLessThan(html.indexOf(ids[0]!));
  expect(html).toContain('7.5\u00a0USDC<br>12.5\u00a0USDT on Ethereum');
  expect(html).not.toContain(theirs);
  const file = await owner.get(`${WALLETS}/addresses.csv`);
  const [heading, ...lines] = file.html.trimEnd().split('\r\n');
  expect(heading).toBe('key,index,network,address,payment,issued_at,asset,received,also_received');
  expect(lines.map((line) => line.split(',').slice(1, 3).join())).toEqual([
    '2,ethereum',
    '1,ethereum',
    '0,ethereum',
  ]);
  expect(lines[1]).toMatch(/,USDC,7\.500000,12\.500000 USDT on Ethereum$/);
  const [theirKey] = await service.app.get(ExtendedKeysService).list(other.merchantId);
  expect((await owner.get(`${WALLETS}/addresses?key=${theirKey!.id}`)).html).not.toContain(theirs);
});
