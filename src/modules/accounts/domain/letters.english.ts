import { utcMoment } from '../../../kernel/text/staff-languages.js';
import type { Guessing, Invited, Letters, LetterText } from './letter-texts.js';

const momentText = (at: Date) => utcMoment(at, 'en');

export const english: Letters = {
  invitation(invited, url) {
    const by = invited.invitedBy === 'cli' ? 'The operator of this service' : invited.invitedBy;
    return {
      subject: `Join ${placeText(invited)} on Rappen`,
      text:
        `${by} invites you to join ${placeText(invited)}.\n\nOpen this link to look at it and to accept or decline. It ` +
        `works once, until ${momentText(invited.expiresAt)}, and is for you alone:\n\n${url}\n\n` +
        'If you did not expect this, ignore it: without the link nothing happens.\n',
    };
  },

  proof: (url, expiresAt) => ({
    subject: 'Is this your address? Confirm it on Rappen',
    text:
      'Somebody who is signed in to Rappen with this address asked us to confirm that it is theirs. If it was you, open ' +
      `this link in the same browser, until ${momentText(expiresAt)}:\n\n${url}\n\n` +
      'If it was not you, somebody uses your address: do not open the link, and tell the operator of the service.\n',
  }),

  reset: ({ url, expiresAt, ip }) => ({
    subject: 'Choose a new password on Rappen',
    text:
      'Somebody asked for a new password for your account on Rappen. If it was you, open this link to choose one. It ' +
      `works once, until ${momentText(expiresAt)}:\n\n${url}\n\n` +
      'All sessions end when you do. Your authenticator app, passkeys and recovery codes stay, and are asked for as ' +
      'before.\n\n' +
      `If it was not you, ignore this: without the link nothing changes. It was asked for from ${ip}.\n`,
  }),

  guessed: (guessing, url) => {
    const { subject, text } = guessing.by === 'stranger' ? byStranger(guessing) : byOneInside(guessing);
    return { subject, text: `${text}\nYour account: ${url}\n` };
  },

  unfinished: (ip, url) => ({
    subject: 'Somebody has entered your password on Rappen',
    text:
      'Somebody has entered your right password in a browser that counts as a new one, and then neither a ' +
      `code nor a passkey. It came from ${ip}.\n\nIf it was you, there is nothing to do. If it was not you, somebody knows ` +
      'your password: sign in and change it now, and wherever else you use it. Your codes or passkeys have kept them out ' +
      `so far.\n\nYour account: ${url}\n`,
  }),
};

function byOneInside({ guessed, by, ip }: Guessing): LetterText {
  const where =
    by === 'session'
      ? 'in a session that is signed in to your account'
      : 'in a browser where you signed in before';
  return {
    subject: `Wrong ${guessed}s again and again at your account on Rappen`,
    text:
      `Somebody enters wrong ${guessed}s ${where}.${from(ip)}\n\nIf it was not you, somebody else uses your device or ` +
      'has taken your session: change your password now, on a device that you trust, and end all other sessions under ' +
      '“Your account”.\n',
  };
}

function byStranger({ guessed, ip }: Guessing): LetterText {
  if (guessed === 'code')
    return {
      subject: 'Somebody knows your password on Rappen',
      text:
        `Somebody has entered your right password, and then wrong codes.${from(ip)}\n\nIf it was not you: sign in and ` +
        'change your password now. Your codes or passkeys have kept them out so far.\n',
    };
  return {
    subject: 'Somebody tries passwords at your account on Rappen',
    text:
      `Somebody tries to sign in with your address and wrong passwords.${from(ip)}\n\nThey have to wait longer each ` +
      'time; you do not, in a browser where you have signed in before. If your password is used anywhere else, change it, ' +
      'and turn on codes or a passkey under “Your account”: then a password alone opens nothing.\n',
  };
}

const from = (ip: string | null) => (ip === null ? '' : ` The last try came from ${ip}.`);

/** "Alpine Coffee as developer", or what an operator runs. */
function placeText({ merchantName, role }: Invited): string {
  return merchantName === null ? 'this service as an operator' : `${merchantName} as ${role}`;
}
