import type { AlertKind, AlertSubject } from '../../alerts/alerts.types.js';
import { pathTo } from '../paths.http.js';

const PAGES: Readonly<Record<AlertKind, (subject: string) => string>> = {
  'review-entry': (intentId) => pathTo('review', intentId),
  'reorganised-after-settlement': (intentId) => pathTo('payment', intentId),
  'webhook-endpoint-disabled': (endpointId) => pathTo('webhook', endpointId),
  'network-unavailable': () => pathTo('operator'),
  'coin-unwatched': () => pathTo('operator'),
  'asset-unwatched': () => pathTo('operator'),
  'rates-unavailable': () => pathTo('operator'),
  'network-halted': () => pathTo('operator'),
  'finality-stalled': () => pathTo('operator'),
  'finality-given-up': () => pathTo('operator'),
  'intent-undecidable': () => pathTo('operator'),
  'refund-unfound': (refundId) => pathTo('refund', refundId),
  'refund-undone': (refundId) => pathTo('refund', refundId),
  'refund-paid-again': (refundId) => pathTo('refund', refundId),
  'refund-beyond-money': (intentId) => pathTo('payment', intentId),
  'refund-shared': () => pathTo('operator'),
  'wallet-gap': () => pathTo('wallets'),
  'chain-difference': () => pathTo('operator'),
  'chain-uncompared': () => pathTo('operator'),
};

/** Where the dashboard shows what an alert is about. */
export function alertPath({ kind, subject }: AlertSubject): string {
  return PAGES[kind](subject);
}
