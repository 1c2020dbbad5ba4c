import type { Alert } from '../alerts.types.js';

export type Told = Pick<Alert, 'id' | 'summary' | 'detail' | 'raisedAt'>;

/** The mail about an alert, in plain text. @param whose the merchant's name, or the instance for the operator */
export function mailAbout(alert: Told, whose: string, url: string): { subject: string; text: string } {
  const raisedAt = `${alert.raisedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = [
    alert.detail,
    `Look at it: ${url}`,
    `Raised ${raisedAt} as ${alert.id}. You get this mail because your address is set for the alerts of ${whose}.`,
  ].join('\n\n');
  return { subject: alert.summary, text: `${text}\n` };
}
