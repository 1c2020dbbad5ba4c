/** Who works for the merchant. */
export const people = {
  'Role {role}: {duties}. Signing in takes two steps.':
    'Rolle {role}: {duties}. Die Anmeldung braucht zwei Schritte.',
  'Role {role}: {duties}. Signing in takes a password alone.':
    'Rolle {role}: {duties}. Für die Anmeldung genügt ein Passwort.',
  'Invite somebody': 'Jemanden einladen',
  Person: 'Person',
  'Last sign-in': 'Letzte Anmeldung',
  'last sign-in': 'zuletzt',
  'Two steps': 'Zwei Schritte',
  'two steps': 'zwei Schritte',
  'on|of two steps': 'ein',
  'off|of two steps': 'aus',
  'you|of a person': 'Sie',
  'Open invitations': 'Offene Einladungen',
  'Link|of an invitation': 'Link',
  'Change|of a row': 'Ändern',
  Withdraw: 'Zurückziehen',
  'the invitation of {email}': '(Einladung von {email})',
  'link shown to you': 'Link Ihnen gezeigt',
  'mail is on its way': 'E-Mail ist unterwegs',
  'the mail was refused': 'E-Mail wurde abgewiesen',

  'The invitation is good for 72 hours. Nobody belongs to the merchant before they have accepted it themselves.':
    'Die Einladung gilt 72 Stunden. Niemand gehört zum Händler, bevor er sie selbst angenommen hat.',
  'E-mail address': 'E-Mail-Adresse',
  Invite: 'Einladen',
  'everything, also wallets, settings and people': 'alles, auch Wallets, Einstellungen und Personen',
  'sees payments, cancels them, manages API keys and webhooks':
    'sieht Zahlungen, bricht sie ab, verwaltet API-Schlüssel und Webhooks',
  'sees payments, cancels them, decides in the review queue':
    'sieht Zahlungen, bricht sie ab, entscheidet unter «Prüfen»',
  'sees payments and settings, changes nothing': 'sieht Zahlungen und Einstellungen, ändert nichts',
  'A role is one of {roles}.': 'Rollen sind {roles}.',

  Invited: 'Eingeladen',
  'Hand this link to {email} by a way that nobody else reads. It is shown this once, works once, and until {time}.':
    'Geben Sie diesen Link {email} auf einem Weg weiter, auf dem niemand mitliest. Er wird nur dieses eine Mal gezeigt, gilt einmal, und bis {time}.',
  'Somebody who has an account here already sees the invitation after signing in, once their address was proved.':
    'Wer hier schon ein Konto hat, sieht die Einladung nach der Anmeldung, sobald die Adresse nachgewiesen ist.',
  'A link is on its way to the mailbox of {email}, and to nobody else. It works until {time}. They belong to the merchant once they have accepted.':
    'Ein Link ist unterwegs an das Postfach von {email} und an niemanden sonst. Er gilt bis {time}. Zum Händler gehört die Person, sobald sie angenommen hat.',
  'Back to the people': 'Zurück zu den Personen',

  'Change the role': 'Rolle ändern',
  'Remove yourself': 'Sich selbst entfernen',
  'Remove this person': 'Diese Person entfernen',
  'You lose access to this merchant at once, on every device, and your open invitations end. API keys that you made keep working: revoke those that only you knew.':
    'Sie verlieren den Zugang zu diesem Händler sofort, auf jedem Gerät, und Ihre offenen Einladungen enden. API-Schlüssel, die Sie erstellt haben, gelten weiter: Sperren Sie jene, die nur Sie kannten.',
  'They lose access to this merchant at once, on every device, and their open invitations end. API keys that they made keep working: revoke those that only they knew.':
    'Die Person verliert den Zugang zu diesem Händler sofort, auf jedem Gerät, und ihre offenen Einladungen enden. API-Schlüssel, die sie erstellt hat, gelten weiter: Sperren Sie jene, die nur sie kannte.',
  'The invitation is withdrawn.': 'Die Einladung ist zurückgezogen.',
  'That invitation is no longer open.': 'Diese Einladung ist nicht mehr offen.',
  '{email} is {role} now.': '{email} ist jetzt {role}.',
  '{email} no longer has access.': '{email} hat keinen Zugang mehr.',
} as const;
