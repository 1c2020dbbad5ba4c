import { visibleText } from '../../../kernel/text/visible-text.js';

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

/** @param asked from where: whoever it was is not known */
export function resetLetter(asked: { url: string; expiresAt: Date; address: string }): Letter {
  return {
    subject: 'Choose a new password on Rappen',
    text:
      'Somebody asked for a new password for your account on Rappen. If it was you, open this link to choose one. It ' +
      `works once, until ${momentText(asked.expiresAt)}:\n\n${asked.url}\n\n` +
      'All sessions end when you do. Your authenticator app, passkeys and recovery codes stay, and are asked for as ' +
      'before.\n\n' +
      `If it was not you, ignore this: without the link nothing changes. It was asked for from ${asked.address}.\n`,
  };
}

/** @param address from where the last try came */
export function guessedLetter(
  guessed: 'password' | 'code',
  by: 'session' | 'device' | 'stranger',
  address: string | null,
): Letter {
  const from = address === null ? '' : ` The last try came from ${address}.`;
  if (by !== 'stranger') {
    const where =
      by === 'session'
        ? 'in a session that is signed in to your account'
        : 'in a browser where you signed in before';
    return {
      subject: `Wrong ${guessed}s again and again at your account on Rappen`,
      text:
        `Somebody enters wrong ${guessed}s ${where}.${from}\n\nIf it was not you, somebody else uses your device or has ` +
        'taken your session: change your password now, on a device that you trust, and end all other sessions under ' +
        '"Your account".\n',
    };
  }
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

/** "Alpine Coffee as developer", or what an operator runs. */
function placeText({
  merchantName,
  role,
}: {
  readonly merchantName: string | null;
  readonly role: string | null;
}): string {
  return merchantName === null ? 'this service as an operator' : `${visibleText(merchantName)} as ${role}`;
}
