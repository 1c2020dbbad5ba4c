import { visibleText } from '../../../kernel/visible-text.js';
import {
  ROLES,
  type Invited,
  type OpenInvitation,
  type PersonView,
  type Role,
} from '../../accounts/accounts.types.js';
import { moment } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';

/** What a role may do, as the one who gives it wants to know. */
const DUTIES: Readonly<Record<Role, string>> = {
  owner: 'everything, also wallets, settings and people',
  developer: 'sees payments, cancels them, manages API keys and webhooks',
  reviewer: 'sees payments, cancels them, decides in the review queue',
  'read-only': 'sees payments and settings, changes nothing',
};

const DELIVERY: Readonly<Record<OpenInvitation['delivery'], string>> = {
  shown: 'link shown to you',
  waiting: 'mail is on its way',
  mailed: 'mailed',
  refused: 'the mail was refused',
};

export function peopleView(
  tabs: readonly Tab[],
  people: readonly PersonView[],
  open: readonly OpenInvitation[],
  me: string,
): PageModel {
  return {
    title: 'Settings',
    tabs,
    people: people.map(({ id, email, role, hasSecondFactor, lastSignInAt }) => ({
      email: visibleText(email),
      role,
      hasSecondFactor,
      isMe: id === me,
      path: pathTo('person', id),
      lastSignIn: lastSignInAt && moment(lastSignInAt),
    })),
    invitations: open.map(({ email, role, expiresAt, delivery }) => ({
      email,
      shown: visibleText(email),
      role,
      delivery: DELIVERY[delivery],
      expires: moment(expiresAt),
    })),
  };
}

export function inviteView(
  tabs: readonly Tab[],
  typed: { readonly email: string; readonly role: string },
): PageModel {
  return { title: 'Invite somebody', tabs, email: typed.email, roles: roles(typed.role || 'reviewer') };
}

export function invitedView(tabs: readonly Tab[], { email, url, expiresAt }: Invited): PageModel {
  return { title: 'Invited', tabs, email: visibleText(email), url, expires: moment(expiresAt) };
}

export function personView(
  tabs: readonly Tab[],
  person: PersonView,
  chosen: string,
  isMe: boolean,
): PageModel {
  const { id, email, role, hasSecondFactor, lastSignInAt } = person;
  return {
    title: visibleText(email),
    tabs,
    path: pathTo('person', id),
    role,
    hasSecondFactor,
    isMe,
    lastSignIn: lastSignInAt && moment(lastSignInAt),
    roles: roles(chosen),
  };
}

function roles(chosen: string) {
  return ROLES.map((role) => ({ role, duties: DUTIES[role], isChosen: role === chosen }));
}
