import { INTENT_STATUSES } from '../../../../kernel/intent-status.js';
import type { MerchantSettings, MerchantStatus } from '../../../merchants/merchants.types.js';
import type { PlainText } from '../../language/german/german.js';
import { ROLE_NAMES } from '../../language/roles.js';

/** How a number of the settings is read: hundredths of a percent, or of a currency's unit. */
export type Read = 'percent' | 'money';

/** What an entry's detail is called. A name without words is shown as it is, as that of another version. */
export const LABELS: Readonly<Record<string, PlainText>> = {
  address: 'Address',
  after: 'After|of a change',
  afterFinal: 'After it was final',
  amount: 'Amount',
  before: 'Before|of a change',
  block: 'Block',
  browser: 'Browser',
  by: 'By|of the log',
  change: 'Change number',
  deliveredTo: 'Link|of an invitation',
  delivery: 'Delivery',
  despite: 'Although',
  dropSecondFactors: 'Second factors removed',
  email: 'E-mail',
  events: 'Events',
  from: 'Before|of a change',
  guessed: 'Guessed',
  invitedBy: 'Invited by',
  key: 'Wallet',
  label: 'Label',
  message: 'Message',
  name: 'Name',
  network: 'Network',
  nextIndex: 'Next index',
  note: 'Note',
  operator: 'Operator',
  reason: 'Why',
  refund: 'Refund',
  role: 'Role',
  scopes: 'May|of a key',
  searched: 'Searched',
  searchedTo: 'Searched up to block',
  since: 'Since|of the log',
  status: 'Status',
  to: 'After|of a change',
  transfers: 'Transfers',
  tries: 'Tries',
  txid: 'Transaction',
  url: 'URL',
  why: 'Why',
};

/** A setting, and how its number is read. */
export const SETTINGS: Readonly<
  Record<Exclude<keyof MerchantSettings, 'logo' | 'networkTerms'>, readonly [PlainText, Read?]>
> = {
  name: ['Display name'],
  supportContact: ['Support contact'],
  alertEmails: ['Alerts go to'],
  color: ['Colour'],
  toleranceBps: ['Tolerance', 'percent'],
  toleranceChosen: ['Tolerance was chosen'],
  spreadBps: ['Spread', 'percent'],
  acceptSeenLate: ['Accept what was in time and seen late'],
  acceptShortBps: ['Accept what is short by at most', 'percent'],
  acceptShortMinor: ['Accept what is short by at most', 'money'],
  acceptLateMinutes: ['Accept what is late by at most, in minutes'],
  acceptLateMoveBps: ['while the rate moves by less than', 'percent'],
};

/** Single words that are always the same. What a person or a server wrote is left as it is. */
export const WORDS: Readonly<Record<string, Readonly<Record<string, PlainText>>>> = {
  role: ROLE_NAMES,
  deliveredTo: { mailbox: 'sent to the mailbox', inviter: 'shown to who invited' },
  by: { mailbox: 'the mailbox|of a proof' },
  scopes: { read: 'Read', write: 'Write' },
  guessed: { password: 'the password|that was guessed', code: 'the code|that was guessed' },
  despite: {
    unknown: 'the blocks could not be searched',
    possible: 'it may have been sent',
    paid: 'a block holds it',
    none: 'nothing was opened or sent',
  },
};
export const PAYMENT: Readonly<Record<string, PlainText>> = Object.fromEntries(
  INTENT_STATUSES.map((status) => [status, status]),
);
export const MERCHANT: Readonly<Record<MerchantStatus, PlainText>> = {
  pending: 'awaits approval',
  approved: 'approved|a merchant',
  suspended: 'suspended|a merchant',
  closed: 'closed|a merchant',
};
