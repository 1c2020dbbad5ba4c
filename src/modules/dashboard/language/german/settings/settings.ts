/** The settings: general, payments and appearance. Wallets, people and the audit log have files of their own. */
export const settings = {
  '{count, plural, one {# block} other {# blocks}}|as a depth':
    '{count, plural, one {# Block} other {# Blöcke}}',
  'General|of the settings': 'Allgemein',
  'Prove that it is you, to change this': 'Ausweisen, um das zu ändern',
  'Only an owner can change this.': 'Nur ein Inhaber kann das ändern.',
  'Saved.': 'Gespeichert.',

  'Display name': 'Angezeigter Name',
  'Buyers see it on every page of the checkout.': 'Käufer sehen ihn auf jeder Seite der Kasse.',
  'help@shop.example': 'hilfe@laden.example',
  'An e-mail address, or a page that begins with https://. Buyers see it on the checkout, also when their money came too late or was too little.':
    'Eine E-Mail-Adresse oder eine Seite, die mit https:// beginnt. Käufer sehen das an der Kasse, auch wenn ihr Geld zu spät kam oder zu wenig war.',
  'Alerts go to': 'Warnungen gehen an',
  'E-mail addresses, one a line, ten at most: money to review, a webhook endpoint that was disabled. Each gets up to 5 mails an hour, one that a person here has proved up to 20; what is more comes as one mail.':
    'E-Mail-Adressen, eine pro Zeile, höchstens zehn: wenn Geld zu prüfen ist oder ein Webhook-Endpunkt abgeschaltet wurde. Jede erhält bis zu 5 E-Mails pro Stunde, eine, die jemand hier nachgewiesen hat, bis zu 20; was mehr ist, kommt als eine E-Mail.',

  'What is saved here applies to quotes made from now on: when a buyer picks an asset. A quote that a buyer already has is kept as it was.':
    'Was hier gespeichert wird, gilt für Angebote ab jetzt: sobald ein Käufer eine Währung wählt. Was einem Käufer schon angeboten wurde, bleibt, wie es war.',
  'May a payment arrive a little short?': 'Darf einer Zahlung ein wenig fehlen?',
  'Many exchanges take their fee out of what a buyer withdraws, so that 99.50 arrive of 100. With a tolerance of 1 % such a payment counts as paid; without one it waits until you decide about it. You lose what is missing, never more than the tolerance.':
    'Viele Börsen ziehen ihre Gebühr von dem ab, was ein Käufer auszahlen lässt, so dass von 100 nur 99.50 eintreffen. Mit einer Toleranz von 1 % gilt eine solche Zahlung als bezahlt; ohne wartet sie, bis Sie entscheiden. Sie verlieren, was fehlt, nie mehr als die Toleranz.',
  'Accept up to 1 % less': 'Bis zu 1 % weniger annehmen',
  'Accept nothing less': 'Nicht weniger annehmen',
  'What you accept': 'Was Sie annehmen',
  'An asset that is not ticked is not offered. Below its smallest payment, in the payment’s own currency, an asset is shown as too small to pick. An asset that is added to a network later is accepted until you say otherwise.':
    'Eine Währung ohne Häkchen wird nicht angeboten. Unter ihrer kleinsten Zahlung, gerechnet in der Währung des Preises, lässt sie sich nicht wählen, weil der Betrag zu klein ist. Kommt später eine Währung zu einem Netzwerk hinzu, wird sie angenommen, bis Sie es anders bestimmen.',
  'no wallet yet, so not offered': 'noch keine Wallet, darum nicht angeboten',
  'Assets on {network}': 'Währungen auf {network}',
  'Asset|of the terms': 'Währung',
  'Smallest payment': 'Kleinste Zahlung',
  'smallest payment': 'kleinste Zahlung',
  'Accept {asset}': '{asset} annehmen',
  'none|of a smallest payment': 'keine',
  'Smallest payment in {asset} on {network}': 'Kleinste Zahlung in {asset} auf {network}',
  'Confirmations on {network}': 'Bestätigungen auf {network}',
  'A payment is confirmed, and later settled, once so many blocks hold it (its own counts), by the amount in its own currency. More blocks are safer and slower. Empty is the default.':
    'Eine Zahlung ist bestätigt und später abgeschlossen, wenn so viele Blöcke sie enthalten (ihr eigener zählt mit), je nach Betrag in der Währung des Preises. Mehr Blöcke sind sicherer und langsamer. Leer heisst Vorgabe.',
  '<code>safe</code> and <code>finalized</code> wait for the network’s own word.':
    '<code>safe</code> und <code>finalized</code> warten, bis das Netzwerk selbst es so nennt.',
  'default {value}': 'Vorgabe: {value}',
  'This instance serves no network yet.': 'Diese Instanz bedient noch kein Netzwerk.',
  'Confirmed|of a depth': 'Bestätigt',
  'Settled, below 100': 'Abgeschlossen, unter 100',
  'Settled, below 1,000': 'Abgeschlossen, unter 1’000',
  'Settled, below 10,000': 'Abgeschlossen, unter 10’000',
  'Settled, from 10,000 on': 'Abgeschlossen, ab 10’000',
  Amounts: 'Beträge',
  'Tolerance, in percent': 'Toleranz, in Prozent',
  'Or another tolerance, in percent': 'Oder eine andere Toleranz, in Prozent',
  'How much less than quoted completes a payment. At 0.5 a payment of 100 is complete with 99.50. At most 10.':
    'Wie viel weniger als verlangt für eine Zahlung genügt. Bei 0.5 ist eine Zahlung von 100 mit 99.50 vollständig. Höchstens 10.',
  'Spread, in percent': 'Aufschlag, in Prozent',
  'How much worse than the market the buyer’s rate is, for what it costs you to exchange. At most 10.':
    'Um wie viel schlechter als am Markt der Kurs des Käufers ist, für Ihre Kosten beim Umtauschen. Höchstens 10.',
  'Accepted without asking you': 'Angenommen, ohne Sie zu fragen',
  'Money that misses its payment waits in the review queue. These rules settle it without a person, once it is final. They are read when the money is decided about, also for payments that exist already. 0 is off.':
    'Geld, das seine Zahlung verfehlt, wartet unter «Prüfen». Diese Regeln schliessen sie ohne Ihr Zutun ab, sobald das Geld endgültig ist. Sie gelten dann, wenn über das Geld entschieden wird, auch für bestehende Zahlungen. 0 heisst aus.',
  'In time, but seen late: the blockchain says that the buyer was punctual':
    'Rechtzeitig, aber spät gesehen: Laut der Blockchain war der Käufer pünktlich',
  'Short by at most, in percent of the quote': 'Es fehlt höchstens, in Prozent des verlangten Betrags',
  'or short by at most, in the payment’s currency': 'oder es fehlt höchstens, in der Währung des Preises',
  'At the quoted rate. One of the two is enough.': 'Zum Kurs des Angebots. Eines von beiden genügt.',
  'Late by at most, in minutes': 'Höchstens zu spät, in Minuten',
  'while the rate moved by less than, in percent':
    'solange sich der Kurs um weniger bewegt hat als, in Prozent',
  'In either direction, since the quote. Late money needs both numbers.':
    'In beide Richtungen, seit dem Angebot. Für verspätetes Geld braucht es beide Zahlen.',
  'In {month} (UTC) nothing was accepted short without you.':
    'Im {month} (UTC) wurde nichts ohne Sie angenommen, dem etwas fehlte.',
  'In {month} (UTC) what was accepted short without you cost you {amounts}.':
    'Im {month} (UTC) kostete Sie, was zu knapp war und ohne Sie angenommen wurde, {amounts}.',
  '{amount} ({count, plural, one {# payment} other {# payments}})':
    '{amount} ({count, plural, one {# Zahlung} other {# Zahlungen}})',
  'Saved. Quotes made from now on go by it.': 'Gespeichert. Angebote richten sich ab jetzt danach.',
  'Saved. Payments have to arrive whole.': 'Gespeichert. Zahlungen müssen vollständig eintreffen.',
  'Saved. Payments may arrive up to 1 % short.': 'Gespeichert. Zahlungen darf bis zu 1 % fehlen.',

  Appearance: 'Aussehen',
  'What buyers see at the top of your checkout and on its main button. Your name always stands beside the logo.':
    'Was Käufer oben an Ihrer Kasse und auf ihrer wichtigsten Schaltfläche sehen. Neben dem Logo steht immer Ihr Name.',
  'Open a wallet': 'Wallet öffnen',
  Logo: 'Logo',
  'PNG, JPEG or WebP, at most 1 MB and 4 million pixels. It is drawn anew, at most 128 × 32 on the page, and nothing else of the file is kept. SVG is not taken.':
    'PNG, JPEG oder WebP, höchstens 1 MB und 4 Millionen Pixel. Es wird neu gezeichnet, auf der Seite höchstens 128 × 32, und von der Datei bleibt sonst nichts. SVG wird nicht angenommen.',
  'Take the logo away': 'Logo entfernen',
  Colour: 'Farbe',
  'Six hex digits. Words on it are black or white, whichever can be read better. Empty is none.':
    'Sechs Hexadezimalziffern. Text darauf ist schwarz oder weiss, je nachdem, was besser lesbar ist. Leer heisst keine.',
  'Your checkout by day': 'Ihre Kasse bei Tag',
  'Your checkout by night': 'Ihre Kasse bei Nacht',
  'On white paper your colour could not be seen: there the page keeps its own ink.':
    'Auf weissem Grund wäre Ihre Farbe nicht zu sehen: Dort behält die Seite ihre eigene.',
  'On the dark page your colour could not be seen: there the page keeps its own ink.':
    'Auf der dunklen Seite wäre Ihre Farbe nicht zu sehen: Dort behält die Seite ihre eigene.',
  'On white paper your colour is too weak for a line: there only the button has it.':
    'Auf weissem Grund ist Ihre Farbe zu schwach für eine Linie: Dort hat nur die Schaltfläche sie.',
  'On the dark page your colour is too weak for a line: there only the button has it.':
    'Auf der dunklen Seite ist Ihre Farbe zu schwach für eine Linie: Dort hat nur die Schaltfläche sie.',
  'Saved. Buyers see it on the next page that they open.':
    'Gespeichert. Käufer sehen es auf der nächsten Seite, die sie öffnen.',
} as const;
