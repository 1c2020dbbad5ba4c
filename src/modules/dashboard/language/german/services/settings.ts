/** What is refused in the settings and about wallets, and what is said of addresses there (see `services`). */
export const settingsServices = {
  'The tolerance is 0 to 10 %, with at most two decimals.':
    'Die Toleranz beträgt 0 bis 10 %, mit höchstens zwei Stellen nach dem Komma.',
  'The spread is 0 to 10 %, with at most two decimals.':
    'Der Aufschlag beträgt 0 bis 10 %, mit höchstens zwei Stellen nach dem Komma.',
  '“Short by at most” is 0 to 100 %, with at most two decimals.':
    '«Es fehlt höchstens» ist 0 bis 100 %, mit höchstens zwei Stellen nach dem Komma.',
  '“Short by at most” is an amount from 0 to 999999.99.':
    '«Es fehlt höchstens» ist ein Betrag von 0 bis 999999.99.',
  '“Late by at most” is a whole number of minutes from 0 to 10080, a week.':
    '«Höchstens zu spät» ist eine ganze Zahl von Minuten, von 0 bis 10080, einer Woche.',
  'The move of the rate is 0 to 100 %, with at most two decimals.':
    'Die Bewegung des Kurses beträgt 0 bis 100 %, mit höchstens zwei Stellen nach dem Komma.',
  'Late money needs both: how late it may be, and how far the rate may have moved. 0 and 0 is off.':
    'Für verspätetes Geld braucht es beides: wie spät es sein darf, und wie weit sich der Kurs bewegt haben darf. 0 und 0 heisst aus.',
  'Accept at least one asset, or nobody could pay.':
    'Nehmen Sie mindestens eine Währung an, sonst könnte niemand bezahlen.',
  'The smallest payment in {asset} on {network} is an amount from 0 to 999999.99, such as 25 or 9.90.':
    'Die kleinste Zahlung in {asset} auf {network} ist ein Betrag von 0 bis 999999.99, zum Beispiel 25 oder 9.90.',
  'A depth on {network} is a number of blocks from 1 to {most}; empty is the default.':
    'Auf {network} ist das eine Anzahl Blöcke von 1 bis {most}; leer heisst Vorgabe.',
  '{n}, “safe” or “finalized”, which is the deepest': '{n}, «safe» oder «finalized», was am tiefsten ist',
  'On {network} a greater amount must not wait for less than a smaller one, nor settle before it is confirmed (empty fields count as their defaults).':
    'Auf {network} darf ein grösserer Betrag nicht weniger lang warten als ein kleinerer und nicht abgeschlossen sein, bevor er bestätigt ist (leere Felder zählen als Vorgabe).',
  'The name has 1 to {n} characters.': 'Der Name hat 1 bis {n} Zeichen.',
  'The support contact is an e-mail address such as help@shop.example, or an address that begins with https://, of at most {n} characters.':
    'Der Kontakt ist eine E-Mail-Adresse wie hilfe@laden.example oder eine Adresse, die mit https:// beginnt, mit höchstens {n} Zeichen.',
  'The colour is six hex digits behind a #, such as #0a5c36.':
    'Die Farbe besteht aus sechs Hexadezimalziffern nach einem #, zum Beispiel #0a5c36.',
  'Alerts go to at most {n} plain addresses such as shop@example.com.':
    'Warnungen gehen an höchstens {n} einfache Adressen wie laden@example.com.',
  'The file is larger than 1 MB.': 'Die Datei ist grösser als 1 MB.',
  'This is no PNG, JPEG or WebP picture. Other kinds are not taken, SVG neither.':
    'Das ist kein Bild im Format PNG, JPEG oder WebP. Andere werden nicht angenommen, auch SVG nicht.',
  'The picture has more than 4 million pixels. Make it smaller: 512 pixels wide are plenty.':
    'Das Bild hat mehr als 4 Millionen Pixel. Verkleinern Sie es: Eine Breite von 512 Pixeln reicht längst.',
  'The picture could not be read. It may be damaged.':
    'Das Bild konnte nicht gelesen werden. Vielleicht ist es beschädigt.',
  'The picture is too detailed for a small logo. Use a simpler one.':
    'Das Bild hat für ein kleines Logo zu viele Einzelheiten. Nehmen Sie ein einfacheres.',

  'another site': 'eine andere Website',
  'a form without its token': 'ein Formular ohne sein Token',
} as const;
