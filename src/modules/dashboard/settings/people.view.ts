import { visibleText } from '../../../kernel/text/visible-text.js';
import {
  type Invited,
  type OpenInvitation,
  type PersonView,
  type Role,
  ROLES,
} from '../../accounts/accounts.types.js';
import { moment } from '../domain/times.js';
import type { PlainText } from '../language/german/german.js';
import { ROLE_NAMES } from '../language/roles.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';

/** What a role may do, as the one who gives it wants to know. */
const DUTIES = {
  owner: 'everything, also wallets, settings and people',
  developer: 'sees payments, cancels them, manages API keys and webhooks',
  reviewer: 'sees payments, cancels them, decides in the review queue',
  'read-only': 'sees payments and settings, changes nothing',
} as const satisfies Record<Role, PlainText>;

const DELIVERY = {
  shown: 'link shown to you',
  waiting: 'mail is on its way',
  mailed: 'mailed',
  refused: 'the mail was refused',
} as const satisfies Record<OpenInvitation['delivery'], PlainText>;

export function peopleView(
  say: Say,
  tabs: readonly Tab[],
  people: readonly PersonView[],
  open: readonly OpenInvitation[],
  me: string,
): PageModel {
  return {
    title: say('Settings'),
    tabs,
    people: people.map(({ id, email, role, hasSecondFactor, lastSignInAt }) => ({
      email: visibleText(email),
      role: say(ROLE_NAMES[role]),
      hasSecondFactor,
      isMe: id === me,
      path: pathTo('person', id),
      lastSignIn: lastSignInAt && moment(lastSignInAt),
    })),
    invitations: open.map(({ email, role, expiresAt, delivery }) => ({
      email,
      shown: visibleText(email),
      role: role && say(ROLE_NAMES[role]),
      delivery: say(DELIVERY[delivery]),
      expires: moment(expiresAt),
    })),
  };
}

export function inviteView(
  say: Say,
  tabs: readonly Tab[],
  typed: { readonly email: string; readonly role: string },
): PageModel {
  return {
    title: say('Invite somebody'),
    tabs,
    email: typed.email,
    roles: roles(say, typed.role || 'reviewer'),
  };
}

export function invitedView(say: Say, { email, url, expiresAt }: Invited): PageModel {
  return { title: say('Invited'), email: visibleText(email), url, expires: moment(expiresAt) };
}

export function personView(
  say: Say,
  tabs: readonly Tab[],
  person: PersonView,
  chosen: string,
  isMe: boolean,
): PageModel {
  const { id, email, role, hasSecondFactor, lastSignInAt } = person;
  return {
    title: visibleText(email),
    tabs,
    id,
    role: say(ROLE_NAMES[role]),
    answer: personSentence(say, person),
    hasSecondFactor,
    isMe,
    lastSignIn: lastSignInAt && moment(lastSignInAt),
    roles: roles(say, chosen),
  };
}

/** What they may do here, and what it takes to be them. */
function personSentence(say: Say, { role, hasSecondFactor }: PersonView): string {
  const values = { role: say(ROLE_NAMES[role]), duties: say(DUTIES[role]) };
  return hasSecondFactor
    ? say('Role {role}: {duties}. Signing in takes two steps.', values)
    : say('Role {role}: {duties}. Signing in takes a password alone.', values);
}

function roles(say: Say, chosen: string) {
  return ROLES.map((role) => ({
    role,
    name: say(ROLE_NAMES[role]),
    duties: say(DUTIES[role]),
    isChosen: role === chosen,
  }));
}
