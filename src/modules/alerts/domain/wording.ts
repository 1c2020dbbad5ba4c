import { alertPath, type Alert } from '../alerts.types.js';

export type Told = Pick<Alert, 'id' | 'kind' | 'subject' | 'summary' | 'detail' | 'raisedAt'>;

export function linkOf(alert: Pick<Alert, 'kind' | 'subject'>, baseUrl: string): string {
  return baseUrl + alertPath(alert);
}

/** The mail about an alert, in plain text. @param whose the merchant's name, or the instance for the operator */
export function mailAbout(alert: Told, whose: string, baseUrl: string): { subject: string; text: string } {
  const raisedAt = `${alert.raisedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = [
    alert.detail,
    `Look at it: ${linkOf(alert, baseUrl)}`,
    `Raised ${raisedAt} as ${alert.id}. You get this mail because your address is set for the alerts of ${whose}.`,
  ].join('\n\n');
  return { subject: alert.summary, text: `${text}\n` };
}
