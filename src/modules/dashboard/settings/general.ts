import type { Merchant, MerchantSettings } from '../../merchants/merchants.types.js';
import type { Form } from '../domain/form.js';

/** What the form holds, as text. */
export interface GeneralFields {
  readonly name: string;
  readonly support: string;
  /** One address a line. */
  readonly alerts: string;
}

export function generalOf({ name, supportContact, alertEmails }: Merchant): GeneralFields {
  const alerts = alertEmails.join('\n');
  return { name, support: supportContact ?? '', alerts };
}

export function typedGeneral(form: Form): GeneralFields {
  return { name: form.text('name'), support: form.text('support'), alerts: form.text('alerts') };
}

export function generalSettings({ name, support, alerts }: GeneralFields): MerchantSettings {
  return {
    name,
    supportContact: support === '' ? null : support,
    alertEmails: alerts.split(/[\s,;]+/).filter((address) => address !== ''),
  };
}
