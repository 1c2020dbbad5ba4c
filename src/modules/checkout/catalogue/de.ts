import type { Catalogue } from './en.js';

const closePage = 'Sie müssen nichts mehr tun. Sie können diese Seite schliessen.';
const doNotResend = 'Senden Sie nicht noch einmal.';
const askAbout = (merchant: string) =>
  `Bei Fragen wenden Sie sich an ${merchant} und nennen Sie die Zahlungs-ID unten.`;

/** In Swiss spelling (ss), with Sie. */
export const de: Catalogue = {
  language: 'de',
  name: 'Deutsch',
  locale: 'de-CH',
  notation: 'de-CH',
  languageChoice: 'Sprache',

  states: {
    choose: () => ({ title: 'Bezahlen mit', happened: '', next: '', todo: '' }),
    change: (f) => ({
      title: 'Anders bezahlen',
      happened: `Vom gewählten Betrag (${f.due}) ist noch nichts eingetroffen.`,
      next: 'Falls Sie schon etwas gesendet haben, gehen Sie zurück und warten Sie, bis es eintrifft.',
      todo: '',
    }),
    closed: (f) => ({
      title: 'Im Moment ist keine Zahlung möglich',
      happened: 'Zurzeit steht keine Zahlungsart zur Verfügung. Sie haben nichts bezahlt.',
      next: 'Diese Seite prüft das laufend und bietet eine Zahlungsart an, sobald es eine gibt.',
      todo: `Warten Sie hier, oder fragen Sie ${f.merchant} nach einer anderen Zahlungsart.`,
    }),
    suspended: (f) => ({
      title: 'Zurzeit keine Zahlungen',
      happened: `${f.merchant} kann hier zurzeit keine Zahlungen annehmen.`,
      next: 'Geld, das Sie schon gesendet haben, wird trotzdem erfasst, wenn es eintrifft.',
      todo: `Senden Sie jetzt nichts. Fragen Sie ${f.merchant}, was zu tun ist.`,
    }),
    waiting: (f) => ({
      title: 'Warten auf Ihre Zahlung',
      happened: `Sobald ${f.network} sie kennt, steht es von selbst auf dieser Seite.`,
      next: '',
      todo: '',
    }),
    blind: (f) => ({
      title: `${f.network} ist zurzeit nicht einsehbar`,
      happened: `Zahlungen auf ${f.network} sind zurzeit nicht zu sehen, darum wird um keine gebeten.`,
      next: `Was Sie schon gesendet haben, ist nicht verloren: Es wird gefunden, sobald ${f.network} wieder einsehbar ist. Diese Zahlung endet um ${f.closesAt}.`,
      todo: 'Senden Sie jetzt nichts. Warten Sie hier, oder bezahlen Sie auf andere Weise, falls eine angeboten wird.',
    }),
    'too-late': (f) => ({
      title: 'Zu spät, um sicher zu senden',
      happened: `Diese Zahlung endet um ${f.closesAt}, und ${f.network} braucht vielleicht länger.`,
      next: `Was Sie jetzt senden, trifft vielleicht zu spät ein. ${f.merchant} müsste es dann von Hand annehmen.`,
      todo: `Senden Sie jetzt nichts. Falls Sie schon gesendet haben, warten Sie hier. Sonst beginnen Sie bei ${f.merchant} eine neue Zahlung.`,
    }),
    part: (f) => ({
      title: 'Ein Teil ist eingetroffen',
      happened: `${f.receivedOf} sind eingetroffen.`,
      next: `Nach ${f.sendBefore} entscheidet ${f.merchant} über das, was eingetroffen ist.`,
      todo: `Senden Sie die fehlenden ${f.missing} an dieselbe Adresse.`,
    }),
    'seen-mempool': (f) => ({
      title: 'Zahlung erkannt',
      happened: `Ihre ${f.received} sind unterwegs. ${f.network} hat sie gesehen und noch in keinen Block aufgenommen.`,
      next: `Die Zahlung ist bestätigt, sobald ein Block sie enthält, und abgeschlossen ${f.settleTime}, nachdem sie gesehen wurde.`,
      todo: closePage,
    }),
    seen: (f) => ({
      title: 'Zahlung erkannt',
      happened: `Ihre ${f.received} sind auf ${f.network} eingetroffen.`,
      next: `Die Zahlung ist in Kürze bestätigt und ${f.settleTime}, nachdem sie gesehen wurde, abgeschlossen.`,
      todo: closePage,
    }),
    confirmed: (f) => ({
      title: 'Zahlung bestätigt',
      happened: `Ihre ${f.received} sind in einem Block von ${f.network} enthalten.`,
      next: `Die Zahlung ist abgeschlossen, wenn niemand sie mehr rückgängig machen kann: ${f.depth}, ${f.settleTime}, nachdem sie gesehen wurde.`,
      todo: closePage,
    }),
    withheld: (f) => ({
      title: 'Warten auf das Netzwerk',
      happened: `Ihre Zahlung wurde gesehen, aber ${f.network} hat sie vorläufig aus den letzten Blöcken entfernt.`,
      next: 'Das kommt vor, wenn ein Netzwerk seine letzten Blöcke ordnet. Die Zahlung wird abgeschlossen, sobald sie wieder da ist.',
      todo: `${doNotResend} Falls sie in einer Stunde nicht wieder da ist, fragen Sie ${f.merchant}.`,
    }),
    settled: (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten.`,
      next: '',
      todo: '',
    }),
    'settled-over': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt.`,
      next: `${f.merchant} sieht das.`,
      todo: `Wenn Sie die ${f.excess} zurückhaben möchten, wenden Sie sich an ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'settled-over-offered': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt.`,
      next: `${f.merchant} sieht das.`,
      todo: '',
    }),
    'settled-over-asked': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt.`,
      next: `${f.merchant} sieht, wohin Sie sie zurückhaben möchten.`,
      todo: `Falls die ${f.excess} nicht kommen, fragen Sie ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'settled-refunding': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt. ${f.merchant} hat entschieden, Ihnen ${f.underWay} zurückzusenden.`,
      next: 'Wie weit das ist, steht unten. Sicher gehört es Ihnen, sobald die Rückzahlung endgültig ist.',
      todo: `Falls es nicht kommt, fragen Sie ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'settled-part-refunded': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt. ${f.sentBack}`,
      next: 'Unten steht jede Rückzahlung, und wie weit sie ist.',
      todo: `Bei Fragen zum Rest wenden Sie sich an ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'settled-refunded': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} erhalten. Das sind ${f.excess} mehr als verlangt. ${f.sentBack}`,
      next: 'Was gesendet wurde, steht unten.',
      todo: `Falls Sie es in Ihrer Wallet nicht finden, fragen Sie ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'settled-accepted': (f) => ({
      title: 'Bezahlt',
      happened: `${f.merchant} hat Ihre ${f.received} als volle Zahlung angenommen.`,
      next: 'Es ist nichts mehr offen.',
      todo: '',
    }),
    'settled-undone': (f) => ({
      title: 'Bezahlt, aber nicht auf der Blockchain',
      happened: `Diese Zahlung war abgeschlossen. Dann hat ${f.network} das Geld dafür aus den letzten Blöcken entfernt.`,
      next: `Oft ist es nach wenigen Minuten wieder da. ${f.merchant} weiss davon, und die Zahlung bleibt abgeschlossen.`,
      todo: `${doNotResend} Schauen Sie in Ihrer Wallet nach, und fragen Sie ${f.merchant}, falls das Geld noch dort ist.`,
    }),
    arriving: (f) => ({
      title: 'Geld ist unterwegs',
      happened: `Wir sehen ${f.coming} für diese Zahlung, die schon beendet ist. Das Netzwerk kann das noch rückgängig machen.`,
      next: `Sobald es endgültig ist, steht es hier. ${f.merchant} erfährt davon und kann darüber entscheiden.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    expired: (f) => ({
      title: 'Die Zeit zum Bezahlen ist um',
      happened: `Bis ${f.closesAt} ist nichts eingetroffen.`,
      next: 'Diese Zahlung ist nicht mehr möglich. Geld, das Sie schon gesendet haben, erscheint trotzdem hier, wenn es eintrifft.',
      todo: `Senden Sie jetzt nichts. Falls Sie noch bezahlen möchten, beginnen Sie bei ${f.merchant} von vorn.`,
    }),
    'expired-paid': (f) => ({
      title: 'Ihr Geld ist da, aber nicht alles',
      happened: `${f.receivedOf} sind eingetroffen. Die Zeit zum Bezahlen endete um ${f.closesAt}, und ${f.missing} fehlten.`,
      next: `${f.merchant} weiss davon und kann das Geld annehmen oder Ihnen zurücksenden.`,
      todo: `Senden Sie nichts mehr. ${askAbout(f.merchant)}`,
    }),
    'expired-late': (f) => ({
      title: 'Ihr Geld ist da, aber zu spät',
      happened: `${f.received} sind eingetroffen, aber diese Zahlung endete um ${f.closesAt}.`,
      next: `${f.merchant} weiss davon und kann das Geld annehmen oder Ihnen zurücksenden.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    'expired-other': (f) => ({
      title: 'Geld ist da, aber nicht wie verlangt',
      happened: `${f.other} sind eingetroffen. Das war für diese Zahlung nicht verlangt. Die Zeit zum Bezahlen endete um ${f.closesAt}.`,
      next: `${f.merchant} weiss davon und kann Ihnen das Geld zurücksenden.`,
      todo: `Senden Sie nichts mehr. ${askAbout(f.merchant)}`,
    }),
    failed: (f) => ({
      title: 'Die Zahlung ist fehlgeschlagen',
      happened: `Ihre Zahlung wurde auf ${f.network} gesehen, aber ersetzt oder verworfen, bevor sie endgültig war.`,
      next: `${f.merchant} hat kein Geld erhalten, und diese Zahlung ist nicht mehr möglich.`,
      todo: `Schauen Sie in Ihrer Wallet nach. Ist das Geld noch dort, beginnen Sie bei ${f.merchant} von vorn. Ist es weg, fragen Sie ${f.merchant}.`,
    }),
    cancelled: (f) => ({
      title: 'Abgebrochen',
      happened: 'Diese Zahlung wurde abgebrochen, und es ist nichts eingetroffen.',
      next: 'Es ist nichts mehr offen.',
      todo: `Senden Sie jetzt nichts. Falls Sie noch bezahlen möchten, beginnen Sie bei ${f.merchant} von vorn.`,
    }),
    'cancelled-paid': (f) => ({
      title: 'Abgebrochen, aber Geld ist da',
      happened: `Diese Zahlung wurde abgebrochen, und trotzdem ist Geld eingetroffen: ${f.arrived}.`,
      next: `${f.merchant} weiss davon und kann Ihnen das Geld zurücksenden.`,
      todo: `Senden Sie nichts mehr. ${askAbout(f.merchant)}`,
    }),
    refunding: (f) => ({
      title: 'Wird an Sie zurückgesendet',
      happened: `${f.merchant} hat entschieden, Ihnen ${f.underWay} zurückzusenden.`,
      next: 'Wie weit das ist, steht unten. Sicher gehört es Ihnen, sobald die Rückzahlung endgültig ist.',
      todo: `Falls es nicht kommt, fragen Sie ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    'part-refunded': (f) => ({
      title: 'Zum Teil zurückgesendet',
      happened: f.sentBack,
      next: 'Unten steht jede Rückzahlung, und wie weit sie ist.',
      todo: `Bei Fragen zum Rest wenden Sie sich an ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    refunded: (f) => ({
      title: 'An Sie zurückgesendet',
      happened: f.sentBack,
      next: 'Was gesendet wurde, steht unten.',
      todo: `Falls Sie es in Ihrer Wallet nicht finden, fragen Sie ${f.merchant} und nennen Sie die Zahlungs-ID unten.`,
    }),
    dismissed: (f) => ({
      title: 'Nicht als Zahlung angenommen',
      happened: `${f.merchant} hat das Geld geprüft, das eingetroffen ist (${f.arrived}), und nicht als Zahlung angenommen.`,
      next: 'Von selbst geschieht hier nichts mehr.',
      todo: `Fragen Sie ${f.merchant}, was mit Ihrem Geld geschieht, und nennen Sie die Zahlungs-ID unten.`,
    }),
    refund: (f) => ({
      title: 'Wohin soll eine Rückzahlung gehen?',
      happened: `${f.merchant} entscheidet, ob das Geld zurückgesendet wird.`,
      next: `${f.merchant} sieht, was Sie hier angeben. Wer den Link zu dieser Seite hat, könnte das auch tun. Vielleicht werden Sie deshalb zuerst gefragt.`,
      todo: 'Geben Sie eine Adresse an, die dasselbe Geld im selben Netzwerk empfängt.',
    }),
    'confirm-cancel': (f) => ({
      title: 'Diese Zahlung abbrechen?',
      happened: 'Es ist noch nichts bezahlt.',
      next: 'Wenn Sie abbrechen, ist diese Zahlung nicht mehr möglich.',
      todo: `Falls Sie schon etwas gesendet haben, brechen Sie nicht ab: Gehen Sie zurück und warten Sie, oder fragen Sie ${f.merchant}.`,
    }),
  },

  announcements: {
    choose: () => 'Wählen Sie, womit Sie bezahlen.',
    closed: () => 'Im Moment steht keine Zahlungsart zur Verfügung.',
    suspended: (f) => `${f.merchant} kann zurzeit keine Zahlungen annehmen.`,
    waiting: (f) => `Warten auf ${f.due} auf ${f.network}.`,
    blind: (f) => `Zahlungen auf ${f.network} sind zurzeit nicht zu sehen. Senden Sie jetzt nichts.`,
    'too-late': () => 'Es ist zu spät, um sicher zu senden. Senden Sie jetzt nichts.',
    part: (f) => `${f.received} sind eingetroffen, ${f.missing} fehlen.`,
    seen: () => 'Ihre Zahlung wurde gesehen. Sie müssen nichts tun.',
    confirmed: (f) => `Ihre Zahlung ist bestätigt: ${f.depth}.`,
    settled: (f) => `Bezahlt. ${f.merchant} hat Ihre Zahlung erhalten.`,
    expired: () => 'Die Zeit zum Bezahlen ist um. Senden Sie jetzt nichts.',
    arriving: () => 'Geld ist unterwegs, aber noch nicht endgültig da.',
    'expired-paid': (f) =>
      `Die Zeit zum Bezahlen ist um. ${f.merchant} entscheidet über das Geld, das eingetroffen ist.`,
    failed: () => 'Die Zahlung ist fehlgeschlagen.',
    cancelled: () => 'Die Zahlung wurde abgebrochen. Senden Sie jetzt nichts.',
    'cancelled-paid': (f) => `Die Zahlung wurde abgebrochen, aber Geld ist eingetroffen: ${f.arrived}.`,
  },

  notices: {
    'option-closed':
      'Diese Zahlungsart ist seit eben nicht mehr verfügbar, darum wurde nichts gewählt. Wählen Sie eine andere.',
    'too-late': 'Die Zeit zum Bezahlen war um, darum wurde nichts geändert.',
    'cannot-switch': 'Es wurde schon Geld gesehen, darum lässt sich die Zahlungsart nicht mehr ändern.',
    'cannot-cancel': 'Es wurde schon Geld gesehen, darum lässt sich diese Zahlung nicht mehr abbrechen.',
    'refund-stored': 'Ihre Adresse für eine Rückzahlung ist gespeichert.',
    'refund-decided': 'Im Moment kann hier nichts zurückverlangt werden, darum wurde nichts gespeichert.',
    'refund-too-often':
      'Die Adresse wurde zu oft geändert, darum wurde nichts gespeichert. Benutzen Sie den Kontakt unten.',
  },

  refundFlaws: {
    'address-wrong': (network) =>
      `Das ist keine Adresse auf ${network}, oder ein Zeichen ist falsch. Kopieren Sie sie noch einmal ganz.`,
    'address-ours': () => 'Diese Adresse gehört zur Zahlung selbst. Geben Sie eine eigene an.',
    'note-too-long': () => 'Die Bemerkung ist zu lang. Es haben 500 Zeichen Platz.',
  },

  closedReasons: {
    no_rate: 'Kein aktueller Kurs',
    network_unavailable: 'Netzwerk nicht erreichbar',
    wallet_unsearched: 'Noch nicht bereit',
    below_minimum: 'Betrag dafür zu klein',
  },

  errors: {
    notFound: {
      title: 'Diese Zahlung gibt es nicht',
      happened: 'Unter dieser Adresse gibt es keine Zahlung.',
      next: 'Hier kann nichts bezahlt werden.',
      todo: 'Prüfen Sie, ob der Link vollständig ist, oder beginnen Sie im Shop von vorn, aus dem Sie kommen.',
    },
    error: {
      title: 'Bei uns ist etwas schiefgegangen',
      happened: 'Diese Seite konnte nicht angezeigt werden.',
      next: 'Ihre Zahlung ist sicher: Was Sie gesendet haben, wird erfasst und angezeigt, sobald die Seite wieder da ist.',
      todo: 'Senden Sie nicht noch einmal. Laden Sie diese Seite in einer Minute neu.',
    },
    refused: {
      title: 'Das hat nicht geklappt',
      happened: 'Der Server hat die Anfrage nicht angenommen.',
      next: 'Es wurde nichts geändert.',
      todo: 'Gehen Sie zurück zur Zahlung und versuchen Sie es noch einmal.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      happened: 'Diese Seite wurde in kurzer Zeit zu oft aufgerufen.',
      next: 'Ihre Zahlung ist sicher, und es wurde nichts geändert.',
      todo: 'Warten Sie eine Minute und laden Sie diese Seite neu.',
    },
  },
  loadAgain: 'Diese Seite neu laden',
  errorTraceId: 'Falls es so bleibt, nennen Sie diese Nummer:',

  sandbox: 'Sandbox: kein echtes Geld',
  testPayment: 'Testzahlung',
  documentTitle: (amount, state, merchant) => `${amount} · ${state} · ${merchant}`,
  stateNames: {
    choose: 'Auswahl',
    closed: 'Nicht verfügbar',
    suspended: 'Nicht verfügbar',
    waiting: 'Warten',
    blind: 'Nicht verfügbar',
    'too-late': 'Zu spät',
    part: 'Teil erhalten',
    seen: 'Erkannt',
    confirmed: 'Bestätigt',
    settled: 'Bezahlt',
    expired: 'Abgelaufen',
    arriving: 'Unterwegs',
    'expired-paid': 'Abgelaufen',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
    'cancelled-paid': 'Abgebrochen',
  },

  and: (first, next) => `${first} und ${next}`,
  on: (network) => `auf ${network}`,
  payBefore: 'Bis',
  sendExactly: 'Genau senden',
  sendMissing: 'Noch senden',
  onlyOn: 'nur auf',
  neverElsewhere: (asset) => `Nie auf einem anderen Netzwerk, nie etwas anderes als ${asset}.`,
  to: 'an',
  copyAmount: (amount) => `Den Betrag ${amount} kopieren`,
  copyAddress: 'Die Adresse kopieren',
  qr: 'QR-Code',
  showCode: 'QR-Code anzeigen',
  qrWithAmount: 'QR-Code mit dem Betrag anzeigen',
  qrAddressOnly: 'Wallet kann ihn nicht lesen? Nur die Adresse anzeigen',
  qrHintAddress: 'Geben Sie den Betrag in Ihrer Wallet ein.',
  qrAlt: (amount, network) => `QR-Code: Adresse auf ${network} und ${amount}`,
  qrAltAddress: (network) => `QR-Code: Adresse auf ${network}`,
  apps: {
    choose: 'In meiner Wallet öffnen',
    openIn: (wallet) => `In ${wallet} öffnen`,
    other: 'Andere Wallet',
    opensPage: 'Diese öffnen die Seite in ihrem eigenen Browser:',
    nothingOpened:
      'Hat sich nichts geöffnet? Wählen Sie eine andere Wallet, kopieren Sie Betrag und Adresse von oben in Ihre, oder scannen Sie den Code mit einem anderen Gerät.',
  },
  browserWallet: {
    payWith: (wallet) => `Mit ${wallet} bezahlen`,
    nameless: 'Ihrer Wallet',
    first: (amount, network) =>
      `Ihre Wallet fragt, bevor sie sendet. Bestätigen Sie nur ${amount} auf ${network}.`,
    connects: 'Erlauben Sie dieser Seite in Ihrer Wallet, Ihr Konto zu sehen.',
    asks: (amount, network) =>
      `Ihre Wallet fragt Sie jetzt. Bestätigen Sie nur ${amount} auf ${network}. Ist kein Fenster offen? Öffnen Sie Ihre Wallet über ihr Symbol.`,
    refused: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
    pending:
      'In Ihrer Wallet ist schon eine Frage offen. Öffnen Sie sie über ihr Symbol und antworten Sie dort.',
    unknownNetwork:
      'Ihre Wallet kennt dieses Netzwerk nicht. Fügen Sie es dort hinzu, oder benutzen Sie den Code. Es wurde nichts gesendet.',
    wrongNetwork: 'Ihre Wallet blieb auf einem anderen Netzwerk. Es wurde nichts gesendet.',
    noFunds: (amount, network) =>
      `Auf diesem Konto ist weniger als ${amount} auf ${network}, oder zu wenig für die Netzwerkgebühr. Es wurde nichts gesendet.`,
    changed:
      'Diese Zahlung hat sich inzwischen geändert. Es wurde nichts gesendet: schauen Sie sie noch einmal an.',
    failed: 'Ihre Wallet hat nicht gesendet und sagt:',
    sent: (network) =>
      `Gesendet. Sobald ${network} davon weiss, steht es von selbst auf dieser Seite. Sie müssen nichts mehr tun.`,
    undone:
      'Das Netzwerk hat die Transaktion abgelehnt, und nichts kam an. Schauen Sie in Ihre Wallet, und versuchen Sie es dann noch einmal.',
    again: 'Meine Wallet hat es nicht gesendet: noch einmal',
  },
  exactCall: {
    title: 'Was Ihre Wallet gefragt wird',
    amount: 'Betrag',
    network: 'Netzwerk',
    to: 'An',
    contract: 'Vertrag',
    method: 'Methode',
  },
  copyReference: 'Die Zahlungs-ID kopieren',

  exchange: {
    title: 'Bezahlen Sie von einer Kryptobörse?',
    choose: (asset, network) =>
      `Heben Sie ${asset} ab und wählen Sie ${network} als Netzwerk. Bietet Ihre Börse es nicht an, wählen Sie eine andere Zahlungsart.`,
    arrive: (amount) =>
      `Genau ${amount} müssen eintreffen. Zieht Ihre Börse ihre Gebühr vom eingegebenen Betrag ab, geben Sie entsprechend mehr ein. Nimmt sie weniger Stellen an, runden Sie auf.`,
    batches: (before) =>
      `Manche Börsen senden nur jede halbe Stunde. Was nach ${before} eintrifft, ist nicht verloren, aber der Shop muss es von Hand annehmen.`,
    feeLabel: (asset) => `Gebühr Ihrer Börse, in ${asset}`,
    sum: (amount) => `Heben Sie ${amount} ab.`,
    unread: 'Geben Sie eine Zahl ein, etwa 1.5, oder einen Anteil, etwa 1 %.',
  },
  sent: {
    title: 'Ich habe gesendet',
    text: (network, settleTime) =>
      `Gut. Sie müssen nichts mehr tun: Sobald ${network} Ihre Zahlung kennt, steht es von selbst auf dieser Seite. Abgeschlossen ist sie ${settleTime} danach. Sie können diese Seite schliessen; die Zahlung zählt trotzdem.`,
  },

  networkFee: (amount) => `Gebühr etwa ${amount}`,
  about: {
    lessThanAMinute: 'weniger als eine Minute',
    aMinute: 'etwa eine Minute',
    minutes: (n) => `etwa ${n} Minuten`,
    hours: (n) => `etwa ${n} Stunden`,
  },

  progress: 'Verlauf',
  steps: { waiting: 'Warten', seen: 'Erkannt', confirmed: 'Bestätigt', settled: 'Fertig' },
  stepDone: 'erledigt',
  tooMuch: (excess) => `Das sind ${excess} mehr als verlangt.`,
  receivedOf: (received, due) => `${received} von ${due}`,

  transfers: 'Transaktionen',
  moreTransfers: (count: number) => `und ${count} weitere`,
  found: (amount) => `Wir haben ${amount} gefunden`,
  foundSeveral: 'Wir haben andere Transaktionen gefunden',
  other: {
    not: 'Für diese Zahlung zählt das nicht.',
    ask: (merchant) => `Fragen Sie ${merchant}, um es zurückzuerhalten.`,
    leave: (merchant) => `${merchant} kann es an eine Adresse zurücksenden, die Sie angeben.`,
    asked: (merchant) => `${merchant} sieht, wohin Sie es zurückhaben möchten.`,
    soon: () => 'Sobald es endgültig ist, können Sie hier sagen, wohin es zurück soll.',
  },
  transaction: 'Transaktion',
  yourMoney: 'Ihr Geld',
  thatNetwork: 'diesem Netzwerk',
  transferState: {
    mempool: 'noch in keinem Block',
    missing: 'vorläufig nicht auf der Blockchain',
    gone: 'ersetzt oder verworfen',
    included: (confirmations) => (confirmations === 1 ? '1 Bestätigung' : `${confirmations} Bestätigungen`),
    final: 'endgültig',
    notFinal: (state) => `${state}, noch nicht endgültig`,
  },
  depth: (have, need) => `${Math.min(have, need)} von ${need} Bestätigungen`,
  depthFinality: 'das Netzwerk macht sie endgültig',

  facts: {
    amount: 'Betrag',
    title: 'Für',
    to: 'An',
    paidTo: 'Bezahlt an',
    asked: 'Verlangt',
    received: 'Erhalten',
    missing: 'Es fehlen',
    excess: 'Zu viel',
    rate: 'Kurs',
    network: 'Netzwerk',
    address: 'Adresse',
    settledAt: 'Bezahlt am',
    endedAt: 'Beendet',
    endsAt: 'Endet',
    payment: 'Zahlungs-ID',
  },

  refunds: {
    title: 'Rückzahlungen',
    sentBack: (merchant, what) => `${merchant} hat Ihnen ${what} zurückgesendet.`,
    recordedBack: (merchant, what) => `${merchant} hat vermerkt, Ihnen ${what} zurückgesendet zu haben.`,
    states: {
      asked: 'noch nicht gesendet',
      sent: 'gesendet, noch in keinem Block',
      seen: 'in einem Block, noch nicht endgültig',
      final: 'endgültig',
      recorded: 'so vom Shop vermerkt',
      unfound: 'auf dem Netzwerk nicht gefunden',
      undone: 'vorläufig nicht auf der Blockchain',
    },
  },

  refund: {
    title: 'Falls das Geld zurückkommt',
    titleAfter: 'Hier angegebene Adresse für die Rückzahlung',
    offer: (merchant) => `${merchant} braucht dafür eine Adresse von Ihnen. Sie können hier eine angeben.`,
    leave: 'Adresse für die Rückzahlung angeben',
    change: 'Adresse für die Rückzahlung ändern',
    asked: (when) => `Gespeichert am ${when}:`,
    unchecked: (merchant) =>
      `Niemand hat sie geprüft. ${merchant} fragt Sie vielleicht, bevor etwas gesendet wird.`,
    earlier: 'Früher angegeben und ersetzt',
    network: 'Netzwerk',
    address: (network) => (network === null ? 'Ihre Adresse' : `Ihre Adresse auf ${network}`),
    addressHint:
      'Von einer Kryptobörse? Nehmen Sie die Adresse, auf der Ihr Konto dort Geld empfängt, nicht die, von der sie gesendet hat.',
    note: 'Bemerkung, falls nötig (zum Beispiel Ihre Bestellnummer)',
    save: 'Speichern',
  },

  verify: {
    title: 'Diese Adresse prüfen',
    text: (merchant, saltOf) =>
      `Niemand hat einen Schlüssel dafür: Sie kann nur an das Ziel auszahlen. Vergleichen Sie das Ziel mit dem, was ${merchant} veröffentlicht hat. In einem Block-Explorer des Netzwerks nennt addressOf(destination, salt) des Vertrags die Adresse oben; das Salz ist der keccak256 von «${saltOf}».`,
    contract: 'Vertrag',
    destination: 'Ziel',
    salt: 'Salz',
  },

  change: 'Andere Zahlungsart',
  cancel: 'Abbrechen',
  cancelYes: 'Diese Zahlung abbrechen',
  back: 'Zurück',
  returnTo: (merchant) => `Zurück zu ${merchant}`,
  receipt: 'Quittung',
  details: 'Details',
  print: 'Quittung drucken oder speichern',
  check: 'Nachsehen, ob Geld da ist',
  support: (merchant) => `Fragen? So erreichen Sie ${merchant}:`,

  script: {
    copied: 'Kopiert',
    left: (clock) => `Noch ${clock}`,
    urgent: 'Noch weniger als zwei Minuten, um zu senden.',
  },
  unsent: {
    away: 'Wir erreichen den Server nicht, darum wurde nichts geändert. Versuchen Sie es noch einmal, wenn die Verbindung wieder da ist.',
    unanswered:
      'Es kam keine richtige Antwort: Vielleicht wurde es ausgeführt, vielleicht nicht. Sehen Sie nach, was diese Seite zeigt, bevor Sie es noch einmal versuchen.',
    often:
      'Das war zu oft in kurzer Zeit und wurde nicht ausgeführt. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  },
  offline:
    'Diese Seite kann gerade nicht aktualisiert werden. Ihre Zahlung ist sicher; es geht von selbst weiter, sobald der Server wieder antwortet.',
};
