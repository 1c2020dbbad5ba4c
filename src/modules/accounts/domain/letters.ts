import { visibleText } from '../../../kernel/visible-text.js';
import { placeText } from '../accounts.types.js';

export interface Letter {
  readonly subject: string;
  readonly text: string;
}

interface Invited {
  readonly merchantName: string | null;
  readonly role: string | null;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

export function momentText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Only the mailbox gets the link: having it proves that the mailbox is one's own. */
export function invitationLetter(invited: Invited, url: string): Letter {
  const by = invited.invitedBy === 'cli' ? 'The operator of this service' : visibleText(invited.invitedBy);
  return {
    subject: `Join ${placeText(invited)} on Rappen`,
    text:
      `${by} invites you to join ${placeText(invited)}.\n\nOpen this link to look at it and to accept or decline. It ` +
      `works once, until ${momentText(invited.expiresAt)}, and is for you alone:\n\n${url}\n\n` +
      'If you did not expect this, ignore it: without the link nothing happens.\n',
  };
}

export function proofLetter(url: string, expiresAt: Date): Letter {
  return {
    subject: 'Is this your address? Confirm it on Rappen',
    text:
      'Somebody who is signed in to Rappen with this address asked us to confirm that it is theirs. If it was you, open ' +
      `this link in the same browser, until ${momentText(expiresAt)}:\n\n${url}\n\n` +
      'If it was not you, somebody uses your address: do not open the link, and tell the operator of the service.\n',
  };
}

/** @param address from where the last try came */
export function guessedLetter(guessed: 'password' | 'code', address: string | null): Letter {
  const from = address === null ? '' : ` The last try came from ${address}.`;
  const isCode = guessed === 'code';
  return {
    subject: isCode
      ? 'Somebody knows your password on Rappen'
      : 'Somebody tries passwords at your account on Rappen',
    text: isCode
      ? `Somebody has entered your right password, and then wrong codes.${from}\n\nIf it was not you: sign in and change ` +
        'your password now. Your codes or passkeys have kept them out so far.\n'
      : `Somebody tries to sign in with your address and wrong passwords.${from}\n\nThey have to wait longer each time; you ` +
        'do not, in a browser where you have signed in before. If your password is used anywhere else, change it, and turn ' +
        'on codes or a passkey under "Your account": then a password alone opens nothing.\n',
  };
}

/** What was done, as the people hear of it whom it concerns; an action without a line here is told to nobody. */
const NEWS = {
  'key.created': ['owners', 'A new API key was created'],
  'wallet.set': ['owners', 'The wallet that money is paid to was changed'],
  'person.joined': ['owners', 'Somebody has joined'],
  'person.role-changed': ['owners', 'Somebody’s role was changed'],
  'signed-in.new-device': ['self', 'Your account was used in a new browser'],
  'password.changed': ['self', 'Your password was changed'],
  'password.reset': ['self', 'Your password was reset'],
  'codes.enabled': ['self', 'Codes at sign-in were turned on'],
  'codes.disabled': ['self', 'Codes at sign-in were turned off'],
  'passkey.added': ['self', 'A passkey was added to your account'],
  'passkey.removed': ['self', 'A passkey was removed from your account'],
} as const satisfies Record<string, readonly [Audience, string]>;

export interface News {
  readonly action: string;
  readonly merchantName: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly at: Date;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who hears of a change: everybody who owns the merchant, or whoever it was. */
export type Audience = 'owners' | 'self';

export function audienceOf(action: string): Audience | null {
  return action in NEWS ? NEWS[action as keyof typeof NEWS][0] : null;
}

/** What, when, by whom, from where, and what to do. */
export function newsLetter({ action, merchantName, actor, address, at, subject, detail }: News): Letter {
  const [audience, what] = NEWS[action as keyof typeof NEWS];
  const where = merchantName === null ? '' : ` · ${visibleText(merchantName)}`;
  const facts = Object.entries(detail)
    .filter(([, value]) => typeof value === 'string' || Array.isArray(value))
    .map(([name, value]) => `${name}: ${visibleText(String(value))}`);
  const by = actor === 'cli' ? 'the operator’s command line' : visibleText(actor);
  const lines = [
    `${what}${where}.`,
    [`When: ${momentText(at)}`, `By: ${by}`, ...(address === null ? [] : [`From: ${address}`])].join('\n'),
    ...(audience === 'owners' ? [[`About: ${visibleText(subject)}`, ...facts].join('\n')] : []),
    audience === 'owners'
      ? 'If you did not expect this, sign in, undo it, and take the role from whoever did it (Settings, People).'
      : 'If it was not you, change your password now and end all other sessions under "Your account"; if you cannot sign in, ask whoever runs the service.',
  ];
  return { subject: `${what}${where}`, text: `${lines.join('\n\n')}\n` };
}
