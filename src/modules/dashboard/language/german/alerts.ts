/** Alerts, a merchant's and the operator's. */
export const alerts = {
  'Show the open ones': 'Nur die offenen zeigen',
  'over|of an alert': 'vorbei',
  'open|of an alert': 'offen',
  'known|of an alert': 'bekannt',
  'Raised {time}': 'Gemeldet {time}',
  'posted to the webhook': 'an den Webhook gesendet',
  'over {time}': 'vorbei {time}',
  'Known to {name} since {time}': '{name} weiss davon seit {time}',
  'I know of it': 'Ich weiss davon',
  Acknowledge: 'Zur Kenntnis nehmen',
  'Noted. Nobody is reminded of it any more.': 'Vermerkt. Niemand wird mehr daran erinnert.',
  'Nothing asks for your attention.': 'Nichts braucht Ihre Aufmerksamkeit.',
  'There has been no alert.': 'Es gab noch keine Warnung.',
} as const;
