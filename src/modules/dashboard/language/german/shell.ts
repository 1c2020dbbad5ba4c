/** What stands around every page, and the pages of errors. */
export const shell = {
  'Sandbox: no real money': 'Sandbox: kein echtes Geld',
  'Skip to the page': 'Zum Inhalt der Seite',
  Dashboard: 'Dashboard',
  Operator: 'Betreiber',
  Menu: 'Menü',
  Copied: 'Kopiert',
  'waiting|beside a number': 'offen',
  'Go to {name}': 'Zu {name}',
  'Go to the operator’s part': 'Zum Bereich des Betreibers',
  Account: 'Konto',
  'Your account': 'Ihr Konto',
  'Sign out': 'Abmelden',

  Home: 'Übersicht',
  Payments: 'Zahlungen',
  Review: 'Prüfen',
  Treasury: 'Bestand',
  Developers: 'Entwickler',
  Settings: 'Einstellungen',
  Health: 'Zustand',
  Merchants: 'Händler',
  Alerts: 'Warnungen',
  'Audit log': 'Protokoll',

  'Set up an <app>authenticator app</app> or a <passkey>passkey</passkey> to go on.':
    'Richten Sie eine <app>Authenticator-App</app> oder einen <passkey>Passkey</passkey> ein, um weiterzufahren.',
  'Signing in takes a password alone. <account>Secure it</account>':
    'Zum Anmelden genügt ein Passwort. <account>Besser sichern</account>',
  Later: 'Später',
  'You are invited. <invitations>Look at it</invitations>':
    'Sie sind eingeladen. <invitations>Einladung ansehen</invitations>',

  'Go to the dashboard': 'Zum Dashboard',
  'Back to the page': 'Zurück zur Seite',
  'Try again': 'Nochmals versuchen',
  'If it stays like this, tell whoever runs this service this number:':
    'Bleibt es so, nennen Sie dem Betreiber dieses Dienstes diese Nummer:',
  'Trace ID': 'Trace-ID',
  '{reason} Nothing was changed.': '{reason} Es wurde nichts geändert.',
  'You are not signed in': 'Sie sind nicht angemeldet',
  'A session ends after a while, and when somebody ends it elsewhere.':
    'Eine Sitzung endet nach einiger Zeit, oder wenn sie anderswo beendet wird.',
  'Sign in, and open the page once more.': 'Melden Sie sich an, und öffnen Sie die Seite noch einmal.',
  'Something has changed meanwhile': 'Inzwischen hat sich etwas geändert',
  'Look at the page as it is now, and decide again.':
    'Sehen Sie sich die Seite an, wie sie jetzt ist, und entscheiden Sie neu.',
  'Too many requests': 'Zu viele Anfragen',
  'Wait {time}, then try again.': 'Versuchen Sie es nach {time} noch einmal.',
  'Not available just now': 'Zurzeit nicht verfügbar',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  'Your role does not allow this': 'Ihre Rolle erlaubt das nicht',
  'What a person may do here follows from their role at the merchant. Nothing was changed.':
    'Was jemand hier darf, hängt von der Rolle beim Händler ab. Es wurde nichts geändert.',
  'Ask an owner to do it, or to give you another role.':
    'Bitten Sie einen Inhaber, das zu tun oder Ihnen eine andere Rolle zu geben.',
  'The form was not taken': 'Das Formular wurde nicht angenommen',
  'Open the page anew and use the form on it.':
    'Öffnen Sie die Seite neu, und füllen Sie das Formular dort aus.',
  'This link is no good any more': 'Dieser Link gilt nicht mehr',
  'It works once and for a limited time. Somebody has used it, it is too old, or it is not whole.':
    'Er gilt einmal und nur für eine gewisse Zeit. Er wurde schon benutzt, ist zu alt oder unvollständig.',
  'If you have a password already, sign in. If not, ask for a new link.':
    'Haben Sie schon ein Passwort, melden Sie sich an. Sonst verlangen Sie einen neuen Link.',
  'There is nothing here': 'Hier ist nichts',
  'The address is wrong, or what it was for is gone or belongs to somebody else.':
    'Die Adresse ist falsch, oder was dort war, gibt es nicht mehr oder gehört jemand anderem.',
  'The form is too large': 'Das Formular ist zu gross',
  'Go back, and send less of it.': 'Gehen Sie zurück, und senden Sie weniger davon.',
  'There is no such payment, or it belongs to another merchant.':
    'Diese Zahlung gibt es nicht, oder sie gehört einem anderen Händler.',
  'Find it from the dashboard instead.': 'Suchen Sie es vom Dashboard aus.',
  'Something went wrong on our side': 'Bei uns ist etwas schiefgegangen',
  'It has been logged. Nobody can say here whether what you asked for was done.':
    'Es wurde aufgezeichnet. Ob ausgeführt wurde, was Sie wollten, lässt sich hier nicht sagen.',
  'The page could not be drawn. It has been logged, and nothing was changed.':
    'Die Seite konnte nicht erstellt werden. Es wurde aufgezeichnet und nichts geändert.',
  'Look at the page before you ask for it once more.':
    'Sehen Sie auf der Seite nach, bevor Sie es noch einmal versuchen.',
  'Try again.': 'Versuchen Sie es noch einmal.',
  'This did not work': 'Das hat nicht geklappt',
  'Open the page anew and try again.': 'Öffnen Sie die Seite neu, und versuchen Sie es noch einmal.',
  'Check the address, or begin at the dashboard.':
    'Prüfen Sie die Adresse, oder beginnen Sie beim Dashboard.',
} as const;
