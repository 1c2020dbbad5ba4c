import { account } from './account.js';
import { alerts } from './alerts.js';
import { developers } from './developers.js';
import { home } from './home.js';
import { health } from './operator/health.js';
import { operator } from './operator/operator.js';
import { payments } from './payments.js';
import { refunds } from './refunds.js';
import { review } from './review.js';
import { services } from './services/services.js';
import { audit } from './settings/audit.js';
import { people } from './settings/people.js';
import { settings } from './settings/settings.js';
import { wallets } from './settings/wallets.js';
import { shared } from './shared.js';
import { shell } from './shell.js';
import { signIn } from './sign-in.js';
import { treasury } from './treasury.js';

/**
 * All that the dashboard says, by its English, in the spelling of Switzerland (ss) and with Sie. A text has its place in the
 * room that says it, or in `shared` where several do. What stands behind a "|" in the English is not said: it tells two German
 * texts of one English word apart.
 */
export const german = {
  ...shared,
  ...shell,
  ...signIn,
  ...home,
  ...developers,
  ...alerts,
  ...operator,
  ...health,
  ...payments,
  ...review,
  ...refunds,
  ...treasury,
  ...account,
  ...settings,
  ...people,
  ...wallets,
  ...audit,
  ...services,
} as const;

/** An English text that is translated. */
export type Text = keyof typeof german;

/** One that names nothing. */
export type PlainText = Exclude<Text, `${string}{${string}`>;

/** The rooms, of which no two have the same text. */
export const ROOMS = {
  shared,
  shell,
  signIn,
  home,
  payments,
  review,
  refunds,
  treasury,
  developers,
  alerts,
  operator,
  health,
  account,
  settings,
  people,
  wallets,
  audit,
  services,
} as const;
