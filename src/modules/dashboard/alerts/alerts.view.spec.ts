import type { Alert } from '../../alerts/alerts.types.js';
import { sayIn } from '../language/say.js';
import { alertsView } from './alerts.view.js';

const AT = new Date('2026-11-21T16:00:00Z');
const ALERT = {
  id: 'alr_1',
  kind: 'review-entry',
  subject: 'pi_1',
  merchantId: 'mer_1',
  raisedAt: AT,
  resolvedAt: null,
  mailedAt: AT,
  postedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedNote: null,
} as unknown as Alert;

/** Alerts as services raise them, and what becomes of them in German. */
it.each([
  [
    'A payment of CHF 49.90 waits for your decision',
    'The whole amount arrived after the payment had expired. The money is in your wallet and recorded with payment pi_1. Accept it, or dismiss it with a note, for example after a refund.',
    'Eine Zahlung über CHF 49.90 wartet auf Ihren Entscheid',
    'Der ganze Betrag kam an, als die Zahlung schon abgelaufen war. Das Geld ist in Ihrer Wallet und bei der Zahlung pi_1 vermerkt. Nehmen Sie es an, oder legen Sie es mit einer Notiz ab, zum Beispiel nach einer Rückzahlung.',
  ],
  [
    'Ethereum Sepolia is not offered: its newest block has not been seen',
    'The newest block of Ethereum Sepolia has not been seen since the start (we are at no block, its node at none). Nobody can choose it at the checkout until it has been caught up; payments that are under way are kept and decided then. What the watcher says: fetch failed. Look at the node, and at the log of this service.',
    'Ethereum Sepolia wird nicht angeboten: Sein neuster Block wurde nicht gesehen',
    'Der neuste Block von Ethereum Sepolia wurde nicht gesehen, seit dem Start (wir sind bei keinem Block, sein Knoten bei keinem). Niemand kann es an der Kasse wählen, bis es aufgeholt ist; Zahlungen, die laufen, bleiben und werden dann entschieden. Was der Beobachter sagt: fetch failed. Sehen Sie nach dem Knoten und ins Log dieses Dienstes.',
  ],
  [
    '2 differences from the chain on Ethereum Sepolia',
    '1.5 USDC at 0xab (key key_1, index 3), block 12: arrived and was not recorded (it is now, and the payment is decided again). And 1 more. Run "check --chain", and see "Compared with the chain" in docs/operations.md. This alert ends by itself when the two are the same.',
    '2 Abweichungen von der Kette auf Ethereum Sepolia',
    '1.5 USDC an 0xab (key key_1, index 3), Block 12: kam an und war nicht aufgezeichnet (jetzt ist es das, und die Zahlung wird neu entschieden). Und 1 weitere. Führen Sie "check --chain" aus, und lesen Sie "Compared with the chain" in docs/operations.md. Diese Warnung endet von selbst, wenn beide gleich sind.',
  ],
  ['What nobody has translated', 'Stays as it is.', 'What nobody has translated', 'Stays as it is.'],
])('says in German: %s', (summary, detail, inGerman, detailInGerman) => {
  const page = { items: [{ ...ALERT, summary, detail }], total: 1 };
  const asked = { open: true, page: 1, pageSize: 20 };
  const shown = (language: 'en' | 'de') =>
    alertsView(sayIn(language), '/dashboard/alerts', page, asked, 'acknowledgeAlert');
  expect(shown('de')).toMatchObject({
    title: 'Warnungen',
    alerts: [{ summary: inGerman, detail: detailInGerman, sent: 'per E-Mail gesendet' }],
  });
  expect(shown('en')).toMatchObject({ title: 'Alerts', alerts: [{ summary, detail, sent: 'mailed' }] });
});
