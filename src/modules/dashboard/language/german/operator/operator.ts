/** The operator's part: merchants and the log. */
export const operator = {
  'It awaits your approval: until then its keys are refused.':
    'Er wartet auf Ihre Freigabe: Bis dahin werden seine Schlüssel abgewiesen.',
  'It is approved: its keys work, and buyers can pay it.':
    'Er ist freigegeben: Seine Schlüssel gelten, und Käufer können ihn bezahlen.',
  'It is suspended: its keys are refused, and what was under way goes on.':
    'Er ist gesperrt: Seine Schlüssel werden abgewiesen, und was unterwegs war, geht weiter.',
  'It is closed for good: its keys are refused, and its addresses stay watched.':
    'Er ist endgültig geschlossen: Seine Schlüssel werden abgewiesen, und seine Adressen werden weiter beobachtet.',
  'awaits approval': 'wartet auf Freigabe',
  'approved|a merchant': 'freigegeben',
  'suspended|a merchant': 'gesperrt',
  'closed|a merchant': 'geschlossen',

  'Show everybody’s': 'Alle Einträge zeigen',
  Who: 'Wer',
  What: 'Was',
  'Of|an entry of the log': 'Wovon',
  More: 'Mehr',
  'Nothing is recorded here.': 'Hier ist nichts aufgezeichnet.',

  'New merchant': 'Neuer Händler',
  'Name or id': 'Name oder ID',
  Merchant: 'Händler',
  'Settled in {days} days': 'In {days} Tagen abgeschlossen',
  'settled|in these days': 'abgeschlossen',
  'No merchant matches.': 'Kein Händler passt dazu.',
  'There is no merchant yet. Create the first, and invite its owner.':
    'Es gibt noch keinen Händler. Erstellen Sie den ersten, und laden Sie seinen Inhaber ein.',

  'Buyers see it at the checkout.': 'Käufer sehen ihn an der Kasse.',
  '(may follow)': '(kann folgen)',
  'An address, a telephone number or a link for buyers who are worried.':
    'Eine Adresse, eine Telefonnummer oder ein Link für Käufer, die sich Sorgen machen.',
  'The owner’s e-mail': 'E-Mail des Inhabers',
  'The next page shows the link with which the owner joins. It works once, within 72 hours.':
    'Die nächste Seite zeigt den Link, mit dem der Inhaber beitritt. Er gilt einmal, innert 72 Stunden.',
  'Why this merchant is here': 'Warum dieser Händler hier ist',
  'A contract, a name, a ticket. Stays in the log; the merchant’s owners can read it.':
    'Ein Vertrag, ein Name, ein Ticket. Bleibt im Protokoll; die Inhaber des Händlers können es lesen.',
  'Approved: its keys work at once': 'Freigegeben: Seine Schlüssel gelten sofort',
  'Create the merchant': 'Händler erstellen',
  'The merchant is created.': 'Der Händler ist erstellt.',

  'the merchant’s id': 'die ID des Händlers',
  'Logo and colour': 'Logo und Farbe',
  'Logo of {name}': 'Logo von {name}',
  'none|wallets, keys or colours': 'keine',
  'none|a node, a price or a contact': 'keiner',
  'nothing|settled': 'nichts',
  'Open alerts': 'Offene Warnungen',
  'Set up': 'Eingerichtet',
  '{count}, last used {time}': '{count}, zuletzt benutzt {time}',
  '{count}, never used': '{count}, nie benutzt',
  '{count}, {disabled} disabled': '{count}, davon {disabled} abgeschaltet',
  'Everybody who can sign in': 'Alle, die sich anmelden können',
  'Second factor': 'Zweiter Faktor',
  'second factor': 'zweiter Faktor',
  yes: 'ja',
  no: 'nein',
  'Nobody can sign in as this merchant.': 'Niemand kann sich für diesen Händler anmelden.',
  'Invited: {email} as {role}, until {time}': 'Eingeladen: {email} als {role}, bis {time}',
  'Invite an owner': 'Inhaber einladen',
  'Approve|a merchant': 'Freigeben',
  'Approve again': 'Wieder freigeben',
  'Suspend|a merchant': 'Sperren',
  'Its keys work from the next request on.': 'Seine Schlüssel gelten von der nächsten Anfrage an.',
  'Its keys are refused from the next request on, and nothing new can be chosen at its checkout. Payments that are under way are still watched and decided, and its webhooks go on.':
    'Seine Schlüssel werden von der nächsten Anfrage an abgewiesen, und an seiner Kasse lässt sich nichts Neues wählen. Zahlungen, die schon laufen, werden weiter beobachtet und entschieden, und seine Webhooks laufen weiter.',
  'Stays in the log. The merchant’s owners can read it.':
    'Bleibt im Protokoll. Die Inhaber des Händlers können es lesen.',
  'Close for good': 'Endgültig schliessen',
  'Its whole log': 'Sein ganzes Protokoll',
  'created and approved': 'erstellt und freigegeben',
  'No decision is recorded.': 'Es ist kein Entscheid aufgezeichnet.',
  'The merchant is approved.': 'Der Händler ist freigegeben.',
  'It was approved already. Nothing has changed.': 'Er war schon freigegeben. Es hat sich nichts geändert.',
  'The merchant is suspended.': 'Der Händler ist gesperrt.',
  'It was suspended already. Nothing has changed.': 'Er war schon gesperrt. Es hat sich nichts geändert.',

  'Close {merchant}': '{merchant} schliessen',
  'This cannot be undone.': 'Das lässt sich nicht rückgängig machen.',
  'Its keys stop and nobody can sign in as this merchant. Its addresses stay watched for ever, and what is under way is still decided.':
    'Seine Schlüssel gelten nicht mehr, und niemand kann sich für diesen Händler anmelden. Seine Adressen werden für immer beobachtet, und was läuft, wird noch entschieden.',
  'Stays in the log.': 'Bleibt im Protokoll.',
  'Keep it open': 'Offen lassen',
  'The merchant is closed.': 'Der Händler ist geschlossen.',

  'Invite an owner of {merchant}': 'Inhaber von {merchant} einladen',
  'An owner decides about everything of this merchant, its wallets too. The invitation stands in the merchant’s log.':
    'Ein Inhaber entscheidet über alles bei diesem Händler, auch über seine Wallets. Die Einladung steht im Protokoll des Händlers.',
  'Make the link': 'Link erstellen',
  'Back to the merchant': 'Zurück zum Händler',
  'Invitation to {merchant}': 'Einladung zu {merchant}',
  'Give this link to {email}, by a way that only they read. It works once, until {time}, and is not shown again.':
    'Geben Sie diesen Link {email}, auf einem Weg, den sonst niemand mitliest. Er gilt einmal, bis {time}, und wird nicht noch einmal gezeigt.',
  'A link is on its way to the mailbox of {email}, and to nobody else. It works until {time}.':
    'Ein Link ist unterwegs ins Postfach von {email}, und zu niemandem sonst. Er gilt bis {time}.',
  'Go to the merchant': 'Zum Händler',
} as const;
