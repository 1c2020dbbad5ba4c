/** Below CHECKOUT_URL: where the pages of payments are, and what a sandbox adds to them. */
export const PAY_PATH = '/pay';
/** Logos and styles of merchants. */
export const FACES_PATH = `${PAY_PATH}/faces`;
export const PANEL_PATH = `/sandbox${PAY_PATH}`;

/** What is below the page of a payment: its forms, the way back to the shop, and how the page hears of changes. */
export type PayPart = 'asset' | 'cancel' | 'events' | 'refund-address' | 'return' | 'status';

/** "/pay/pi_01jd…/status"; without a part the page itself. */
export function payPath(id: string, part?: PayPart): string {
  return below(PAY_PATH, id, part);
}

/** The panel of a payment, or one of its buttons: "/sandbox/pay/pi_01jd…/exact". */
export function panelPath(id: string, button?: string): string {
  return below(PANEL_PATH, id, button);
}

function below(path: string, id: string, part: string | undefined): string {
  return `${path}/${encodeURIComponent(id)}${part === undefined ? '' : `/${part}`}`;
}
