import { visibleText } from '../../../kernel/visible-text.js';
import { ROLES, type PersonView, type Role } from '../../accounts/accounts.types.js';
import type { OneTimeLink, OpenInvitation } from '../../accounts/links.service.js';
import { moment } from '../domain/times.js';
import type { PageModel } from '../door/visit.js';
import type { Tab } from './tabs.js';

/** What a role may do, as the one who gives it wants to know. */
const DUTIES: Readonly<Record<Role, string>> = {
  owner: 'everything, also wallets, settings and people',
  developer: 'sees payments, cancels them, manages API keys and webhooks',
  reviewer: 'sees payments, cancels them, decides in the review queue',
  'read-only': 'sees payments and settings, changes nothing',
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
      ...{ email: visibleText(email), role, hasSecondFactor },
      isMe: id === me,
      path: `/dashboard/settings/people/${id}`,
      lastSignIn: lastSignInAt && moment(lastSignInAt),
    })),
    invitations: open.map(({ email, role, expiresAt }) => ({
      ...{ email, shown: visibleText(email), role },
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

export function invitedView(
  tabs: readonly Tab[],
  link: OneTimeLink,
  url: string,
  mailed: boolean,
): PageModel {
  return {
    title: 'Invited',
    tabs,
    email: visibleText(link.email),
    url,
    mailed,
    expires: moment(link.expiresAt),
  };
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
    path: `/dashboard/settings/people/${id}`,
    ...{ role, hasSecondFactor, isMe },
    lastSignIn: lastSignInAt && moment(lastSignInAt),
    roles: roles(chosen),
  };
}

/** The mail, beside the link that is shown. */
export function invitationText(merchant: string, url: string, expiresAt: Date): string {
  return (
    `You were invited to the dashboard of ${visibleText(merchant)}. Open this link to join; it works once, until ` +
    `${moment(expiresAt).text}:\n\n${url}\n\nIf you did not expect this, ignore it: without the link nothing happens.\n`
  );
}

function roles(chosen: string) {
  return ROLES.map((role) => ({ role, duties: DUTIES[role], isChosen: role === chosen }));
}
