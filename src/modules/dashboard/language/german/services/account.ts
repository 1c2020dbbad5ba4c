/** What services refuse about accounts, sign-in and people (see `services`). */
export const accountServices = {
  'The present password is not right.': 'Das bisherige Passwort stimmt nicht.',
  'This is the last password of this account. Choose another one.':
    'Das ist das letzte Passwort dieses Kontos. Wählen Sie ein anderes.',
  'This is the present password. Choose another one.':
    'Das ist das bisherige Passwort. Wählen Sie ein anderes.',
  'Use at least {n} characters.': 'Verwenden Sie mindestens {n} Zeichen.',
  'Use at most {n} characters.': 'Verwenden Sie höchstens {n} Zeichen.',
  'This password holds a character that cannot be stored.':
    'Dieses Passwort enthält ein Zeichen, das nicht gespeichert werden kann.',
  'Do not build the password from your e-mail address.':
    'Bilden Sie das Passwort nicht aus Ihrer E-Mail-Adresse.',
  'Too many tries. Wait {time}, then try again.':
    'Zu viele Versuche. Versuchen Sie es nach {time} noch einmal.',
  'a minute': 'einer Minute',
  'a second': 'einer Sekunde',
  '{n} minutes': '{n} Minuten',
  '{n} seconds': '{n} Sekunden',

  'Give the passkey a name of at most {n} characters.':
    'Geben Sie dem Passkey einen Namen mit höchstens {n} Zeichen.',
  'This passkey is here already, or {n} others are. Remove one first.':
    'Diesen Passkey gibt es hier schon, oder {n} andere. Entfernen Sie zuerst einen.',
  'Codes are on already. Turn them off first.': 'Die Codes sind schon ein. Schalten Sie sie zuerst aus.',
  'Codes are off already.': 'Die Codes sind schon aus.',
  'What you began to set up in your authenticator app has ended. Remove it there and begin again.':
    'Was Sie in Ihrer Authenticator-App einzurichten begonnen haben, gilt nicht mehr. Entfernen Sie es dort und beginnen Sie noch einmal.',
  'Recovery codes come with an authenticator app or a passkey.':
    'Wiederherstellungscodes gibt es zu einer Authenticator-App oder einem Passkey.',
  'There is nothing to prove by mail.': 'Es gibt nichts per E-Mail nachzuweisen.',
  'Enough such mails for a day. Look into the mailbox, or try again tomorrow.':
    'Genug solche E-Mails für einen Tag. Sehen Sie im Postfach nach, oder versuchen Sie es morgen wieder.',
  'It has not been proved that this address is yours. Prove it first, then accept.':
    'Dass diese Adresse Ihnen gehört, ist nicht nachgewiesen. Weisen Sie es zuerst nach, dann nehmen Sie an.',

  'Give the view a name of at most {n} characters.':
    'Geben Sie der Ansicht einen Namen mit höchstens {n} Zeichen.',
  'You have a view of this name already.': 'Eine Ansicht mit diesem Namen haben Sie schon.',
  'You have {n} saved views. Delete one first.':
    'Sie haben {n} gespeicherte Ansichten. Löschen Sie zuerst eine.',
  'This search is too long to be saved.': 'Diese Suche ist zu lang, um gespeichert zu werden.',
  'There is no such saved view.': 'Diese gespeicherte Ansicht gibt es nicht.',

  '{email} belongs to this merchant already.': '{email} gehört schon zu diesem Händler.',
  'This is the last owner. Make somebody else an owner first.':
    'Das ist der letzte Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
  'This mailbox has got enough mail for a day. Try again tomorrow.':
    'Dieses Postfach hat genug E-Mails für einen Tag erhalten. Versuchen Sie es morgen wieder.',
  'This address was invited {n} times today. Try again tomorrow.':
    'Diese Adresse wurde heute {n}-mal eingeladen. Versuchen Sie es morgen wieder.',
  'You have invited {n} people today. Try again tomorrow.':
    'Sie haben heute {n} Personen eingeladen. Versuchen Sie es morgen wieder.',
  'This merchant has invited {n} people today. Try again tomorrow.':
    'Dieser Händler hat heute {n} Personen eingeladen. Versuchen Sie es morgen wieder.',
} as const;
