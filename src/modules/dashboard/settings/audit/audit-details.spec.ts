import { newId } from '../../../../kernel/ids.js';
import { sayIn } from '../../language/say.js';
import { detailLines, detailParts, idsIn, subjectText } from './audit-details.js';

const NAMES: Readonly<Record<string, string>> = { ethereum: 'Ethereum', base: 'Base', bitcoin: 'Bitcoin' };
const nameOf = (id: string) => NAMES[id] ?? id;
const lines = (language: 'en' | 'de', action: string, detail: Record<string, unknown>) =>
  detailLines(sayIn(language), { action, detail }, nameOf);

it('says what changed in the words of the settings, with percents and amounts', () => {
  const changes = {
    toleranceBps: [0, 50],
    acceptShortMinor: [0, 1290],
    supportContact: [null, 'help@shop.example'],
    alertEmails: [[], ['a@shop.example', 'b@shop.example']],
    acceptSeenLate: [true, false],
    'networkTerms.ethereum.assets.USDC.accepted': [null, false],
    'networkTerms.ethereum.assets.USDC.minimumMinor': [null, 990],
    'networkTerms.bitcoin.settlementDepths': [null, [1, 2, null, 6]],
    'logo.hash': [null, 'ab12'],
    'something.later': [1, 2],
  };
  expect(lines('en', 'settings.changed', { changes })).toEqual([
    'Tolerance: 0 % → 0.5 %',
    'Accept what is short by at most: 0.00 → 12.90',
    'Support contact: nothing → help@shop.example',
    'Alerts go to: nothing → a@shop.example, b@shop.example',
    'Accept what was in time and seen late: yes → no',
    'USDC on Ethereum accepted: nothing → no',
    'Smallest payment in USDC on Ethereum: nothing → 9.90',
    'Confirmations on Bitcoin: nothing → 1, 2, nothing, 6',
    'Logo: nothing → ab12',
    'something.later: 1 → 2',
  ]);
  expect(lines('de', 'settings.changed', { changes }).slice(0, 3)).toEqual([
    'Toleranz: 0 % → 0.5 %',
    'Annehmen, wenn höchstens fehlt: 0.00 → 12.90',
    'Kontakt für Fragen: nichts → help@shop.example',
  ]);
});

it('names details and their fixed words, by what was done', () => {
  expect(lines('de', 'key.created', { label: 'Laden', scopes: ['read', 'write'] })).toEqual([
    'Bezeichnung: Laden',
    'Darf: Lesen, Schreiben',
  ]);
  expect(
    lines('de', 'person.role-changed', { email: 'a@b.example', before: 'reviewer', after: 'owner' }),
  ).toEqual(['Änderung: Prüfer → Inhaber', 'E-Mail: a@b.example']);
  expect(lines('de', 'merchant.created', { name: 'Laden', status: 'pending' })).toEqual([
    'Name: Laden',
    'Status: wartet auf Freigabe',
  ]);
  expect(lines('de', 'intent.closed', { from: 'pending', to: 'failed', note: 'pending' })).toEqual([
    'Änderung: unterwegs → fehlgeschlagen',
    'Notiz: pending',
  ]);
});

it('leaves out what is not, translates sentences of ours, and none that a person wrote', () => {
  const searched = 'On Ethereum no index from 0 to 99 was used before.';
  expect(lines('de', 'wallet.set', { before: null, after: 'xk_1', searched, note: 'Look again.' })).toEqual([
    'Nachher: xk_1',
    'Durchsucht: Auf Ethereum war kein Index von 0 bis 99 schon benutzt.',
    'Notiz: Look again.',
  ]);
  expect(lines('de', 'webhook.redelivered-failed', { since: '2026-11-25T20:19:13.942Z' })).toEqual([
    'Seit: 2026-11-25T20:19:13.942Z',
  ]);
  expect(lines('en', 'person.invited', { operator: false, later: { a: 1 }, hidden: 'a\u202eb' })).toEqual([
    'later: {"a":1}',
    'hidden: a\ufffdb',
  ]);
});

it('leaves ids to developers, alone and in lists, and shortens those in a sentence', () => {
  const [id, other] = [newId('tr'), newId('tr')];
  expect(lines('en', 'review.accepted', { note: `see ${id}`, transfers: [id, other], refund: id })).toEqual([
    `Note: see ${id.slice(0, 10)}…${id.slice(-8)}`,
  ]);
  expect(idsIn([id, 'USDC', other])).toEqual([id, other]);
});

it('cuts a line where it names an instant, which is written for its reader', () => {
  const detail = { since: '2026-11-25T20:19:13.942Z' };
  expect(detailParts(sayIn('en'), { action: 'webhook.redelivered-failed', detail }, nameOf)).toEqual([
    [
      { text: 'Since: ', at: null },
      {
        text: detail.since,
        at: expect.objectContaining({ iso: detail.since, utc: '25 Nov 2026, 20:19 UTC' }),
      },
    ],
  ]);
});

it('names networks as people do, and by its id what is served no more', () => {
  const about = (action: string, subject: string) => subjectText({ action, subject }, nameOf);
  expect(about('wallet.set', 'ethereum')).toBe('Ethereum');
  expect(about('wallet.recovered', 'ethereum, base, gone')).toBe('Ethereum, Base, gone');
  expect(about('chain.rewound', 'bitcoin')).toBe('Bitcoin');
  expect(about('key.created', 'base')).toBe('base');
  expect(lines('de', 'refund.asked', { amount: '5 USDC', network: 'base' })).toEqual([
    'Betrag: 5 USDC',
    'Netzwerk: Base',
  ]);
});
