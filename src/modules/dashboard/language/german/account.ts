/** One's own account: how one signs in, where one is signed in, and what one is invited to. */
export const account = {
  'You sign in as {email}, in two steps.': 'Sie melden sich als {email} an, in zwei Schritten.',
  'You sign in as {email}, with a password alone. A second step keeps others out.':
    'Sie melden sich als {email} an, mit dem Passwort allein. Ein zweiter Schritt hält andere fern.',
  You: 'Sie',
  'Not proved': 'Nicht nachgewiesen',
  'Prove it': 'Nachweisen',
  '{count} open|of invitations': '{count} offen',
  'None|of invitations': 'Keine',
  'This service': 'Dieser Dienst',
  operator: 'Betreiber',
  'How you sign in': 'So melden Sie sich an',
  'Change the password': 'Passwort ändern',
  'In two steps': 'In zwei Schritten',
  'On|of two steps': 'Ein',
  'Off|of two steps': 'Aus',
  'Whoever learns your password can sign in.': 'Wer Ihr Passwort erfährt, kann sich anmelden.',
  'Authenticator app': 'Authenticator-App',
  'Turn off': 'Ausschalten',
  'Turn on': 'Einschalten',
  Passkeys: 'Passkeys',
  'Add or remove': 'Hinzufügen oder entfernen',
  'Add a passkey': 'Passkey hinzufügen',
  'Recovery codes': 'Wiederherstellungscodes',
  '{count} unused': '{count} unbenutzt',
  'Make new ones': 'Neue erstellen',

  'Where you are signed in': 'Wo Sie angemeldet sind',
  Sessions: 'Sitzungen',
  Browser: 'Browser',
  'Since|of a session': 'Seit',
  'End|of a session': 'Beenden',
  'since|of a session': 'seit',
  'This one': 'Diese hier',
  'End {browser}, {address}': 'Beenden: {browser}, {address}',
  'End all others': 'Alle anderen beenden',
  'Was this you?': 'Waren Sie das?',
  'If not, change your password and end all other sessions. Guesses that failed opened nothing.':
    'Wenn nicht, ändern Sie Ihr Passwort, und beenden Sie alle anderen Sitzungen. Falsch Geratenes hat nichts geöffnet.',
  'What happened lately': 'Was zuletzt geschah',
  'Wrong passwords were tried': 'Falsche Passwörter wurden versucht',
  'Wrong codes were tried': 'Falsche Codes wurden versucht',
  'The password was right, and no second step followed':
    'Das Passwort war richtig, und der zweite Schritt blieb aus',
  'Signed in with a new browser: {browser}': 'Mit einem neuen Browser angemeldet: {browser}',
  'That session has ended. Every other browser counts as a new one from now on.':
    'Die Sitzung ist beendet. Jeder andere Browser gilt von jetzt an als neu.',
  'You are signed out everywhere else.': 'Sie sind überall sonst abgemeldet.',
  '{browser} on {system}': '{browser} auf {system}',
  'Unknown|of a browser': 'Unbekannt',

  'You stay signed in here, and are signed out everywhere else. Open invitations that you made end.':
    'Hier bleiben Sie angemeldet; überall sonst werden Sie abgemeldet. Offene Einladungen von Ihnen enden.',
  '{count, plural, one {An open invitation that you made has} other {# open invitations that you made have}} ended. Invite again whoever is to join.':
    '{count, plural, one {Eine offene Einladung von Ihnen ist} other {# offene Einladungen von Ihnen sind}} beendet. Laden Sie erneut ein, wer dazukommen soll.',
  'Present password': 'Bisheriges Passwort',
  'At least 12 characters; a sentence is good.': 'Mindestens 12 Zeichen; gut ist ein Satz.',
  'The password was changed. You are signed out everywhere else.':
    'Das Passwort wurde geändert. Sie sind überall sonst abgemeldet.',

  'A passkey is kept by your device or password manager, which asks for your finger, face or PIN. It signs you in without your password, and with the password alone nobody gets in any more.':
    'Einen Passkey verwahrt Ihr Gerät oder Ihr Passwort-Manager, der nach Finger, Gesicht oder PIN fragt. Damit melden Sie sich ohne Passwort an, und mit dem Passwort allein kommt niemand mehr hinein.',
  'Your passkeys': 'Ihre Passkeys',
  'Name|of a passkey': 'Name',
  'Added|of a passkey': 'Hinzugefügt',
  'added|of a passkey': 'hinzugefügt',
  'Remove {name}': '{name} entfernen',
  'You have none yet.': 'Sie haben noch keinen.',
  'Name of the new passkey': 'Name des neuen Passkeys',
  'Adding a passkey needs JavaScript.': 'Um einen Passkey hinzuzufügen, braucht es JavaScript.',
  'The passkey was added. You keep the recovery codes that you have.':
    'Der Passkey wurde hinzugefügt. Ihre Wiederherstellungscodes bleiben dieselben.',
  'The passkey was removed: it opens nothing any more. Delete it on your device too.':
    'Der Passkey wurde entfernt: Er öffnet nichts mehr. Löschen Sie ihn auch auf Ihrem Gerät.',

  'Codes at sign-in': 'Codes bei der Anmeldung',
  'On: each sign-in by password asks for a code. For another phone, turn codes off and on again.':
    'Ein: Jede Anmeldung mit Passwort verlangt einen Code. Für ein anderes Telefon schalten Sie die Codes aus und wieder ein.',
  'Turn codes off': 'Codes ausschalten',
  'Scan this with your authenticator app': 'Scannen Sie das mit Ihrer Authenticator-App',
  'QR code with the secret': 'QR-Code mit dem Einrichtungsschlüssel',
  'Or type it:': 'Oder tippen Sie ihn ein:',
  'the secret|of an app': 'den Einrichtungsschlüssel',
  'Type the code that it shows': 'Geben Sie den Code ein, den sie zeigt',
  'Code|of an app': 'Code',
  'Turn codes on': 'Codes einschalten',
  'Besides the password, each sign-in then asks for a code from an authenticator app on your phone. Without the phone nobody gets in, you included: you get recovery codes for that day.':
    'Ausser dem Passwort verlangt dann jede Anmeldung einen Code aus einer Authenticator-App auf Ihrem Telefon. Ohne das Telefon kommt niemand hinein, auch Sie nicht: Für diesen Fall erhalten Sie Wiederherstellungscodes.',
  Begin: 'Beginnen',
  'You will be asked again in a week.': 'Sie werden in einer Woche wieder gefragt.',
  'Codes are on. You keep the recovery codes that you have.':
    'Die Codes sind ein. Ihre Wiederherstellungscodes bleiben dieselben.',
  'Codes are off.': 'Die Codes sind aus.',

  'You have {count} unused recovery codes. New ones take the place of all that you have.':
    'Sie haben {count} unbenutzte Wiederherstellungscodes. Neue ersetzen alle bisherigen.',
  'Make new codes': 'Neue Codes erstellen',
  'Recovery codes come with an authenticator app or a passkey: they open your account on the day that you have lost it.':
    'Wiederherstellungscodes gibt es zu einer Authenticator-App oder einem Passkey: Sie öffnen Ihr Konto, wenn Sie diese einmal verlieren.',
  'On the day that your phone or passkey is lost, each of these takes its place once, beside your password. They are shown only now: print them, or keep them in your password manager.':
    'Geht Ihr Telefon oder Passkey einmal verloren, ersetzt ihn jeder dieser Codes einmal, zusammen mit Ihrem Passwort. Sie werden nur jetzt gezeigt: Drucken Sie sie aus, oder bewahren Sie sie im Passwort-Manager auf.',
  'all codes': 'alle Codes',
  'I have kept them': 'Ich habe sie aufbewahrt',

  'Is {email} your address? Then you may be invited to other merchants with this account.':
    'Ist {email} Ihre Adresse? Dann können Sie mit diesem Konto zu weiteren Händlern eingeladen werden.',
  '{inviter} invites you to join {place}. It is open until {time}. Nothing happens when you leave this page.':
    'Einladung von {inviter}: {place}. Sie gilt bis {time}. Verlassen Sie diese Seite, geschieht nichts.',
  'This address is mine': 'Das ist meine Adresse',
  'Accept|an invitation': 'Annehmen',
  'Decline|an invitation': 'Ablehnen',
  'Whoever invites you sees nothing of your account. Accept only what you expected: what you join, you answer for.':
    'Wer Sie einlädt, sieht nichts von Ihrem Konto. Nehmen Sie nur an, was Sie erwartet haben: Wo Sie beitreten, tragen Sie Verantwortung.',
  'To join': 'Beitreten',
  'Invited by': 'Eingeladen von',
  'by|an inviter': 'von',
  'Nobody invites you to anything just now.': 'Zurzeit sind Sie nirgends eingeladen.',
  'It was never proved that {email} is yours. Until then nobody can let this account into anything more, so that nobody gets in under another person’s address.':
    'Dass {email} Ihnen gehört, wurde nie nachgewiesen. Bis dahin kann niemand diesem Konto weiteren Zugang geben, damit niemand unter einer fremden Adresse hineinkommt.',
  'Send me a link': 'Link an mich senden',
  'It goes to your mailbox. Open it in this browser. If you came from a link in a mail, open that again instead.':
    'Er geht an Ihr Postfach. Öffnen Sie ihn in diesem Browser. Kamen Sie über einen Link in einer E-Mail, öffnen Sie stattdessen diesen noch einmal.',
  'This service sends no mail. Ask whoever runs it to confirm your address; they will want to make sure that it is you.':
    'Dieser Dienst versendet keine E-Mails. Bitten Sie seinen Betreiber, Ihre Adresse zu bestätigen; er wird sichergehen wollen, dass Sie es sind.',
  'the operator': 'der Betreiber',
  'Declined. Nothing has changed.': 'Abgelehnt. Es hat sich nichts geändert.',
  'A mail with a link is on its way to your address. Open it in this browser.':
    'Eine E-Mail mit einem Link ist unterwegs an Ihre Adresse. Öffnen Sie ihn in diesem Browser.',
  'Confirmed: this address is yours.': 'Bestätigt: Diese Adresse gehört Ihnen.',
  'You have joined {place}. The menu under your name leads to the operator’s part.':
    'Sie sind beigetreten: {place}. Das Menü unter Ihrem Namen führt zum Bereich des Betreibers.',
  'You have joined {place}. The menu under your name leads to the merchant.':
    'Sie sind beigetreten: {place}. Das Menü unter Ihrem Namen führt zum Händler.',
} as const;
