import type { PayPage, QrModel, Step } from './views/pay.types.js';

/** What the parts of the checkout's page are given, for whoever shows them beside each other. */
export interface CheckoutParts extends Pick<
  PayPage,
  | 'options'
  | 'said'
  | 'saidText'
  | 'found'
  | 'transfersTitle'
  | 'refundsTitle'
  | 'sentBack'
  | 'refundForm'
  | 'refunds'
  | 'actions'
  | 'support'
  | 'reference'
  | 'record'
  | 'languages'
> {
  readonly qr: QrModel;
  /** The way to the end, at each of its steps. */
  readonly progress: readonly { readonly progressLabel: string; readonly steps: readonly Step[] }[];
}
