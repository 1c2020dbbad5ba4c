/** Signing in and proving it again. */
export const signIn = {
  'Sign in': 'Anmelden',
  'Password forgotten?': 'Passwort vergessen?',
  'Sign in with a passkey': 'Mit Passkey anmelden',
  'This device has a passkey for you already.': 'Dieses Gerät hat schon einen Passkey für Sie.',
  'No passkey came. Try again, or go on without one.':
    'Es kam kein Passkey. Versuchen Sie es noch einmal, oder fahren Sie ohne fort.',

  'The second step': 'Der zweite Schritt',
  'Code of your authenticator app, or a recovery code':
    'Code Ihrer Authenticator-App oder ein Wiederherstellungscode',
  'Recovery code': 'Wiederherstellungscode',
  'Begin again': 'Von vorn beginnen',

  'Confirm your password': 'Passwort bestätigen',
  'What comes next could move money or let somebody in. Prove once more who you are; it counts for ten minutes.':
    'Was jetzt folgt, könnte Geld bewegen oder jemandem Zugang geben. Weisen Sie sich noch einmal aus; das gilt zehn Minuten.',
  Confirm: 'Bestätigen',
  'Use a passkey': 'Passkey verwenden',

  'Look into your mailbox': 'Schauen Sie in Ihr Postfach',
  'If there is an account of that address, a mail with a link is on its way to it. The link works once, for an hour.':
    'Gibt es ein Konto mit dieser Adresse, ist eine E-Mail mit einem Link dorthin unterwegs. Der Link gilt einmal und eine Stunde lang.',
  'Nothing came? Look among the unwanted mail, and whether the address is the one of your account. After five such mails in a day there is one an hour: the link in the latest is good, whoever asked for it. If none comes, whoever runs this service can make you a link.':
    'Nichts gekommen? Sehen Sie im Spam nach, und ob die Adresse die Ihres Kontos ist. Nach fünf solchen E-Mails an einem Tag kommt eine in der Stunde: Der Link in der letzten gilt, wer auch immer sie angefordert hat. Kommt keine, kann Ihnen der Betreiber dieses Dienstes einen Link geben.',
  'We send a link that sets a new password to the address of your account.':
    'Wir senden einen Link für ein neues Passwort an die Adresse Ihres Kontos.',
  'Send the link': 'Link senden',
  'This service sends no mail. Whoever runs it can make you a link for a new password.':
    'Dieser Dienst versendet keine E-Mails. Sein Betreiber kann Ihnen einen Link für ein neues Passwort geben.',
  'Back to signing in': 'Zurück zur Anmeldung',

  'Set a new password': 'Neues Passwort setzen',
  'Confirm your address': 'Adresse bestätigen',
  'Join {place}': 'Beitreten: {place}',
  'Choose a password of at least 12 characters. A sentence is easy to remember and hard to guess.':
    'Wählen Sie ein Passwort mit mindestens 12 Zeichen. Ein Satz ist leicht zu merken und schwer zu erraten.',
  'There is an account of this address. Sign in with it and look at this first; nothing happens before you agree.':
    'Zu dieser Adresse gibt es ein Konto. Melden Sie sich damit an, und sehen Sie sich das zuerst an; nichts geschieht, bevor Sie zustimmen.',
  'Choose a password of at least 12 characters. A sentence is easy to remember and hard to guess. If you have an account, sign in: the invitation waits for you there.':
    'Wählen Sie ein Passwort mit mindestens 12 Zeichen. Ein Satz ist leicht zu merken und schwer zu erraten. Haben Sie ein Konto, melden Sie sich an: Die Einladung wartet dort auf Sie.',
  'I have an account: sign in': 'Ich habe ein Konto: anmelden',
  'New password': 'Neues Passwort',
  'Set the password': 'Passwort setzen',
  Join: 'Beitreten',
} as const;
