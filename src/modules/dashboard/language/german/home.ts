/** The home page. */
export const home = {
  'Needs attention': 'Zu beachten',
  'Your account is pending': 'Ihr Konto ist noch nicht freigegeben',
  'Your account is suspended': 'Ihr Konto ist gesperrt',
  'Your account is closed': 'Ihr Konto ist geschlossen',
  'Payments can be created once the operator of this service has approved it.':
    'Zahlungen können erstellt werden, sobald der Betreiber dieses Dienstes es freigegeben hat.',
  'No new payment can be created or picked. What is under way goes on. Ask the operator of this service.':
    'Neue Zahlungen können nicht erstellt und nicht begonnen werden. Was läuft, geht weiter. Fragen Sie den Betreiber dieses Dienstes.',
  '{count, plural, one {# payment waits for your decision} other {# payments wait for your decision}}':
    '{count, plural, one {# Zahlung wartet auf Ihren Entscheid} other {# Zahlungen warten auf Ihren Entscheid}}',
  'Money came too little, too late or to the wrong place. Decide what becomes of it.':
    'Es kam zu wenig Geld, zu spät oder an den falschen Ort. Entscheiden Sie, was damit geschieht.',
  'A webhook endpoint was disabled': 'Ein Webhook-Endpunkt wurde abgeschaltet',
  'A webhook endpoint is failing': 'Ein Webhook-Endpunkt meldet Fehler',
  '{url} failed for days. {count, plural, one {# event waits for it.} =10000 {# events or more wait for it.} other {# events wait for it.}}':
    '{url} war tagelang nicht erreichbar. {count, plural, one {# Ereignis wartet darauf.} =10000 {# Ereignisse oder mehr warten darauf.} other {# Ereignisse warten darauf.}}',
  '{url}: {count, plural, one {# event waits for it.} =10000 {# events or more wait for it.} other {# events wait for it.}}':
    '{url}: {count, plural, one {# Ereignis wartet darauf.} =10000 {# Ereignisse oder mehr warten darauf.} other {# Ereignisse warten darauf.}}',
  '{network} is closed at the checkout': '{network} wird an der Kasse nicht angeboten',
  'Buyers cannot choose it: {reason}. Money that arrives meanwhile is found later.':
    'Käufer können es nicht wählen: {reason}. Geld, das inzwischen eintrifft, wird später gefunden.',
  'we do not see its newest blocks': 'wir sehen die neusten Blöcke nicht',
  'we are catching up with its blocks': 'wir holen die Blöcke noch nach',
  'two nodes tell different stories about it': 'zwei Knoten widersprechen sich darüber',
  'its node is on another chain than the one that we followed':
    'der Knoten ist auf einer anderen Blockchain als jener, der wir gefolgt sind',
  'No current price for some assets': 'Kein aktueller Kurs für einige Währungen',
  'Buyers cannot choose {pairs} until the price sources answer again.':
    'Käufer können {pairs} erst wieder wählen, wenn die Kursquellen antworten.',
  '{asset} in {currency}': '{asset} in {currency}',

  'Nothing needs you just now.': 'Zurzeit braucht es nichts von Ihnen.',
  '{count, plural, one {One thing needs} other {# things need}} your attention.':
    '{count, plural, one {Ein Punkt wartet} other {# Punkte warten}} auf Sie.',
  '{count, plural, one {One step is} other {# steps are}} left until the first payment.':
    'Bis zur ersten Zahlung {count, plural, one {fehlt noch ein Schritt} other {fehlen noch # Schritte}}.',
  'In the last {days} days no payment was settled.':
    'In den letzten {days} Tagen wurde keine Zahlung abgeschlossen.',
  'In the last {days} days you were paid {amounts}.':
    'In den letzten {days} Tagen wurden Ihnen {amounts} bezahlt.',
  'Until the first payment': 'Bis zur ersten Zahlung',
  done: 'erledigt',
  'still to do': 'noch offen',
  'The operator has approved your account': 'Der Betreiber hat Ihr Konto freigegeben',
  'A wallet receives the money': 'Eine Wallet empfängt das Geld',
  'An API key lets your server create payments': 'Mit einem API-Schlüssel erstellt Ihr Server Zahlungen',
  'A webhook endpoint tells your server what was paid':
    'Ein Webhook-Endpunkt meldet Ihrem Server, was bezahlt wurde',
  'You have chosen whether a payment may arrive a little short':
    'Sie haben gewählt, ob einer Zahlung ein wenig fehlen darf',
  'The first payment is settled': 'Die erste Zahlung ist abgeschlossen',

  '{days} days': '{days} Tage',
  'Settled in the last {days} days': 'Abgeschlossen in den letzten {days} Tagen',
  Period: 'Zeitraum',
  'No payment was settled in this time.': 'In dieser Zeit wurde keine Zahlung abgeschlossen.',
  '{settled} of {created, plural, one {# payment} other {# payments}}':
    '{settled} von {created, plural, one {# Zahlung} other {# Zahlungen}}',
  'Created to settled': 'Erstellt und abgeschlossen',
  'Median time to settle': 'Mittlere Dauer bis zum Abschluss',
  'from creation': 'ab der Erstellung',
  '{currency} settled per day (UTC)': '{currency} abgeschlossen pro Tag (UTC)',
  '{currency} settled per day, {first} to {last}; the table below has the numbers':
    '{currency} abgeschlossen pro Tag, {first} bis {last}; die Zahlen stehen in der Tabelle darunter',
  '{currency} as a table': '{currency} als Tabelle',
  'Day (UTC)': 'Tag (UTC)',
} as const;
