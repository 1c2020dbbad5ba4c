import {
  ACCOUNT_SECURITY_EVENTS,
  SEALED_PENDING_SECRETS,
  SEALED_TOTP_SECRETS,
} from './modules/accounts/accounts.types.js';
import { AUTH_SECURITY_EVENTS } from './modules/auth/auth.types.js';
import { PROBLEMS } from './modules/site/problems.types.js';
import { SEALED_SECRETS } from './modules/webhooks/webhooks.types.js';
import type { Paths } from './platform/http/surface.js';
import type { Product } from './platform/product.js';

/** What the platform has to know of the modules, which it does not import. */
export const PRODUCT: Product = {
  problems: PROBLEMS,
  securityEvents: [...ACCOUNT_SECURITY_EVENTS, ...AUTH_SECURITY_EVENTS],
  sealed: [SEALED_SECRETS, SEALED_TOTP_SECRETS, SEALED_PENDING_SECRETS],
};

/** A new page has to be among `pages`, and among `checkout` where it is a buyer’s. */
export const PATHS: Paths = {
  // The buyer's pages, and what a sandbox adds to them.
  checkout: /^(\/sandbox)?\/pay(\/|$)/,
  pages: /^\/(pay|problems|docs|dashboard|llms\.txt)(\/|$)|^\/$/,
  api: /^\/api\//,
};
