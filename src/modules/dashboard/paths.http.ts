import { ownValue } from '../../kernel/lookups.js';

/**
 * Where the dashboard's pages and forms are: each of its routes, once. A controller names the place below which its routes
 * are, and whatever leads to a page or sends a form names it: in code `pathTo('payment', id)`, in a template
 * `{{pathTo 'payment' id}}`.
 */
export const PATHS = {
  home: '/dashboard',

  signIn: '/dashboard/sign-in',
  signInCode: '/dashboard/sign-in/code',
  signInPasskey: '/dashboard/sign-in/passkey',
  signInPasskeyOptions: '/dashboard/sign-in/passkey/options',
  forgotten: '/dashboard/sign-in/forgotten',
  signOut: '/dashboard/sign-out',
  confirm: '/dashboard/confirm',
  confirmPasskey: '/dashboard/confirm/passkey',
  language: '/dashboard/language',
  oneTimeLink: '/dashboard/link/:token',
  switchMerchant: '/dashboard/merchant',

  account: '/dashboard/account',
  password: '/dashboard/account/password',
  passkeys: '/dashboard/account/passkeys',
  passkeyOptions: '/dashboard/account/passkeys/options',
  removePasskey: '/dashboard/account/passkeys/:id/remove',
  secondFactor: '/dashboard/account/second-factor',
  secondFactorLater: '/dashboard/account/second-factor/later',
  beginSecondFactor: '/dashboard/account/second-factor/begin',
  enableSecondFactor: '/dashboard/account/second-factor/enable',
  disableSecondFactor: '/dashboard/account/second-factor/disable',
  recoveryCodes: '/dashboard/account/recovery-codes',
  endSession: '/dashboard/account/sessions/:id/end',
  endOtherSessions: '/dashboard/account/sessions/end-others',
  invitations: '/dashboard/invitations',
  invitationLink: '/dashboard/invitations/link/:token',
  acceptInvitation: '/dashboard/invitations/:id/accept',
  declineInvitation: '/dashboard/invitations/:id/decline',
  proveEmail: '/dashboard/invitations/prove',

  payments: '/dashboard/payments',
  paymentsExport: '/dashboard/payments/export.csv',
  accountingExport: '/dashboard/payments/accounting',
  savedViews: '/dashboard/payments/views',
  newSavedView: '/dashboard/payments/views/new',
  savedView: '/dashboard/payments/views/:id',
  renameSavedView: '/dashboard/payments/views/:id/rename',
  deleteSavedView: '/dashboard/payments/views/:id/delete',
  accountingExportFile: '/dashboard/payments/accounting/export.csv',
  payment: '/dashboard/payments/:id',
  cancelPayment: '/dashboard/payments/:id/cancel',
  refunds: '/dashboard/refunds',
  newRefund: '/dashboard/refunds/new',
  refund: '/dashboard/refunds/:id',
  refundState: '/dashboard/refunds/:id/state.json',
  openRefund: '/dashboard/refunds/:id/open',
  resumeRefund: '/dashboard/refunds/:id/resume',
  refundSent: '/dashboard/refunds/:id/sent',
  withdrawRefund: '/dashboard/refunds/:id/withdraw',
  reviews: '/dashboard/review',
  review: '/dashboard/review/:id',
  acceptReview: '/dashboard/review/:id/accept',
  dismissReview: '/dashboard/review/:id/dismiss',
  recordRefund: '/dashboard/review/:id/refund',
  alerts: '/dashboard/alerts',
  acknowledgeAlert: '/dashboard/alerts/:id/acknowledge',

  treasury: '/dashboard/treasury',
  treasuryCollect: '/dashboard/treasury/collect',
  treasuryPlan: '/dashboard/treasury/plan.json',
  treasurySafe: '/dashboard/treasury/safe.json',
  treasurySent: '/dashboard/treasury/sent.json',

  developers: '/dashboard/developers',
  keys: '/dashboard/developers/keys',
  newKey: '/dashboard/developers/keys/new',
  revokeKey: '/dashboard/developers/keys/:id/revoke',
  webhooks: '/dashboard/developers/webhooks',
  newWebhook: '/dashboard/developers/webhooks/new',
  webhook: '/dashboard/developers/webhooks/:id',
  verifyWebhook: '/dashboard/developers/webhooks/:id/verify',
  testWebhook: '/dashboard/developers/webhooks/:id/test',
  webhookEvents: '/dashboard/developers/webhooks/:id/events',
  webhookSecret: '/dashboard/developers/webhooks/:id/rotate',
  webhookUrl: '/dashboard/developers/webhooks/:id/url',
  enableWebhook: '/dashboard/developers/webhooks/:id/enable',
  disableWebhook: '/dashboard/developers/webhooks/:id/disable',
  deleteWebhook: '/dashboard/developers/webhooks/:id/delete',
  redeliverFailed: '/dashboard/developers/webhooks/:id/redeliver',
  delivery: '/dashboard/developers/deliveries/:id',
  redeliver: '/dashboard/developers/deliveries/:id/redeliver',
  requests: '/dashboard/developers/requests',

  settings: '/dashboard/settings',
  paymentSettings: '/dashboard/settings/payments',
  tolerance: '/dashboard/settings/payments/tolerance',
  appearance: '/dashboard/settings/appearance',
  wallets: '/dashboard/settings/wallets',
  newWallet: '/dashboard/settings/wallets/new',
  skipAddresses: '/dashboard/settings/wallets/skip',
  addressWallet: '/dashboard/settings/wallets/address',
  saveAddressWallet: '/dashboard/settings/wallets/address/save',
  issuedAddresses: '/dashboard/settings/wallets/addresses',
  issuedAddressesExport: '/dashboard/settings/wallets/addresses.csv',
  people: '/dashboard/settings/people',
  newPerson: '/dashboard/settings/people/new',
  withdrawInvitation: '/dashboard/settings/people/withdraw',
  person: '/dashboard/settings/people/:id',
  changeRole: '/dashboard/settings/people/:id/role',
  removePerson: '/dashboard/settings/people/:id/remove',
  audit: '/dashboard/settings/audit',

  operator: '/dashboard/operator',
  operatorAlerts: '/dashboard/operator/alerts',
  acknowledgeOperatorAlert: '/dashboard/operator/alerts/:id/acknowledge',
  operatorAudit: '/dashboard/operator/audit',
  merchants: '/dashboard/operator/merchants',
  newMerchant: '/dashboard/operator/merchants/new',
  merchant: '/dashboard/operator/merchants/:id',
  approveMerchant: '/dashboard/operator/merchants/:id/approve',
  suspendMerchant: '/dashboard/operator/merchants/:id/suspend',
  closeMerchant: '/dashboard/operator/merchants/:id/close',
  inviteOwner: '/dashboard/operator/merchants/:id/invite',
} as const;

export type PathName = keyof typeof PATHS;

/** What a path is filled in with: an id or nothing. */
type Filling<Name extends PathName> = (typeof PATHS)[Name] extends `${string}/:${string}` ? [id: string] : [];

/** "/dashboard/payments/pi_01jd…": whatever the id is, it stays inside its part of the path. */
export function pathTo<Name extends PathName>(name: Name, ...[id]: Filling<Name>): string {
  return pathNamed(name, id);
}

/** `pathTo` for templates, which no compiler checks. @throws for an unknown name, a missing id, or one too many */
export function pathNamed(name: string, id?: string): string {
  const path = ownValue<string>(PATHS, name);
  if (path === undefined) throw new Error(`the dashboard has no path "${name}"`);
  if (path.includes(':') !== (id !== undefined)) throw new Error(`${path} takes one id, or none`);
  return path.replace(/:\w+/, () => encodeURIComponent(id ?? ''));
}
