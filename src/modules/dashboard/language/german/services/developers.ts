/** What services say about keys, webhooks and their deliveries. */
export const developersServices = {
  'A key has the scope read, write, or both.':
    'Ein Schlüssel hat das Recht zu lesen, zu schreiben oder beides.',
  'The label has 1 to {most} characters.': 'Die Bezeichnung hat 1 bis {most} Zeichen.',
  'The webhook URL {reason}.': 'Die Webhook-URL {reason}.',
  'must not be longer than {most} characters': 'darf nicht länger als {most} Zeichen sein',
  'must be an absolute URL': 'muss eine vollständige URL sein',
  'must use https': 'muss mit https beginnen',
  'must use https; plain http is for this machine alone':
    'muss mit https beginnen; http ist nur für diesen Rechner',
  'must not contain a user name or password': 'darf weder Benutzername noch Passwort enthalten',
  'must not contain a fragment': 'darf kein Fragment enthalten',
  'must not use port 0': 'darf nicht den Port 0 benutzen',
  'must not have a host that ends in a dot': 'darf keinen Host haben, der mit einem Punkt endet',
  'must have a public address': 'muss eine öffentliche Adresse haben',
  'must not point to localhost': 'darf nicht auf localhost zeigen',
  'must not have a host under .internal': 'darf keinen Host unter .internal haben',
  'must have a host that resolves to public addresses only, at most 32 of them':
    'muss einen Host haben, der nur zu öffentlichen Adressen führt, zu höchstens 32',
  'A merchant has at most {most} webhook endpoints. Delete one first.':
    'Ein Händler hat höchstens {most} Webhook-Endpunkte. Löschen Sie zuerst einen.',
  'A test of this endpoint is under way.': 'Ein Test dieses Endpunkts läuft schon.',
  'This delivery is being sent right now.': 'Diese Zustellung wird gerade gesendet.',
  'Its endpoint takes nothing now. A disabled one must be enabled first; a deleted one is gone.':
    'Ihr Endpunkt nimmt jetzt nichts an. Ist er abgeschaltet, muss er zuerst eingeschaltet werden; ist er gelöscht, gibt es ihn nicht mehr.',
  'What had waited for its endpoint is still being given up. Try again in a minute.':
    'Was auf ihren Endpunkt gewartet hatte, wird noch aufgegeben. Versuchen Sie es in einer Minute nochmals.',
  'The endpoint is disabled. Enable it first.': 'Der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst ein.',

  timeout: 'Zeit überschritten',
  'name-not-resolved': 'Name nicht gefunden',
  'connect-failed': 'keine Verbindung',
  'tls-failed': 'TLS fehlgeschlagen',
  'connection-lost': 'Verbindung abgebrochen',
  'invalid-answer': 'ungültige Antwort',
  'url-refused': 'URL abgelehnt',
  'not-signed': 'nicht signiert',
} as const;
