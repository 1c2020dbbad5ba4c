import type { Catalogue } from './en.js';

const closePage = 'Non c’è altro da fare. È possibile chiudere questa pagina.';
const doNotResend = 'Non inviare una seconda volta.';
const sendNoMore = 'Non inviare altro.';
const askAbout = (merchant: string) =>
  `Per domande, rivolgersi a ${merchant} indicando il riferimento qui sotto.`;
const startAgain = (merchant: string) =>
  `Non inviare nulla adesso. Se si desidera ancora pagare, ricominciare presso ${merchant}.`;

/** By infinitives, as is usual on machines and forms: neither "tu" nor "Lei". Amounts stand where no word agrees with them. */
export const it: Catalogue = {
  language: 'it',
  name: 'Italiano',
  locale: 'it-CH',
  notation: 'it-CH',
  languageChoice: 'Lingua',

  states: {
    choose: () => ({ title: 'Pagare con', happened: '', next: '', todo: '' }),
    change: (f) => ({
      title: 'Pagare in altro modo',
      happened: `Dell’importo scelto (${f.due}) non è ancora arrivato nulla.`,
      next: 'Se l’invio è già avvenuto, tornare indietro e attendere che arrivi.',
      todo: '',
    }),
    closed: (f) => ({
      title: 'Al momento non è possibile pagare',
      happened: 'Al momento nessun metodo di pagamento è disponibile. Non è stato pagato nulla.',
      next: 'Questa pagina continua a verificare e propone un metodo di pagamento appena ce n’è uno.',
      todo: `Attendere qui, oppure chiedere a ${f.merchant} un altro metodo di pagamento.`,
    }),
    suspended: (f) => ({
      title: 'Al momento nessun pagamento',
      happened: `Al momento ${f.merchant} non può accettare pagamenti qui.`,
      next: 'Il denaro già inviato viene comunque registrato al suo arrivo.',
      todo: `Non inviare nulla adesso. Chiedere a ${f.merchant} che cosa fare.`,
    }),
    waiting: (f) => ({
      title: 'In attesa del pagamento',
      happened: `Appena ${f.network} lo conosce, questa pagina lo indica da sé.`,
      next: '',
      todo: '',
    }),
    blind: (f) => ({
      title: `${f.network} per ora non è visibile`,
      happened: `I pagamenti su ${f.network} per ora non sono visibili, perciò non se ne chiedono.`,
      next: `Ciò che è già stato inviato non è perso: sarà trovato appena ${f.network} sarà di nuovo visibile. Questo pagamento scade alle ${f.closesAt}.`,
      todo: 'Non inviare nulla adesso. Attendere qui, o pagare in un altro modo se è offerto.',
    }),
    'too-late': (f) => ({
      title: 'Troppo tardi per inviare con sicurezza',
      happened: `Questo pagamento termina alle ${f.closesAt}, e ${f.network} potrebbe impiegare più tempo.`,
      next: `Ciò che viene inviato adesso può arrivare troppo tardi. ${f.merchant} dovrebbe allora accettarlo manualmente.`,
      todo: `Non inviare nulla adesso. Se l’invio è già avvenuto, attendere qui. Altrimenti iniziare un nuovo pagamento presso ${f.merchant}.`,
    }),
    part: (f) => ({
      title: 'Una parte è arrivata',
      happened: `Importo arrivato: ${f.receivedOf}.`,
      next: `Dopo le ${f.sendBefore}, ${f.merchant} decide su ciò che è arrivato.`,
      todo: `Inviare ancora ${f.missing} allo stesso indirizzo.`,
    }),
    'seen-mempool': (f) => ({
      title: 'Pagamento rilevato',
      happened: `Il pagamento di ${f.received} è in arrivo. ${f.network} lo ha visto, ma non ancora incluso in un blocco.`,
      next: `È confermato appena un blocco lo contiene, e definitivo ${f.settleTime} dopo essere stato visto.`,
      todo: closePage,
    }),
    seen: (f) => ({
      title: 'Pagamento rilevato',
      happened: `Il pagamento di ${f.received} è arrivato su ${f.network}.`,
      next: `Sarà confermato tra un istante, e definitivo ${f.settleTime} dopo essere stato visto.`,
      todo: closePage,
    }),
    confirmed: (f) => ({
      title: 'Pagamento confermato',
      happened: `Il pagamento di ${f.received} è incluso in un blocco di ${f.network}.`,
      next: `È definitivo quando nessuno può più annullarlo: ${f.depth}, ${f.settleTime} dopo essere stato visto.`,
      todo: closePage,
    }),
    withheld: (f) => ({
      title: 'In attesa della rete',
      happened: `Il pagamento è stato visto, ma per ora ${f.network} lo ha tolto dai suoi ultimi blocchi.`,
      next: 'Succede quando una rete mette in ordine i suoi ultimi blocchi. Il pagamento diventa definitivo una volta tornato.',
      todo: `${doNotResend} Se entro un’ora non è tornato, rivolgersi a ${f.merchant}.`,
    }),
    settled: (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}.`,
      next: '',
      todo: '',
    }),
    'settled-over': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto.`,
      next: `${f.merchant} lo vede.`,
      todo: `Per riavere ${f.excess}, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'settled-over-offered': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto.`,
      next: `${f.merchant} lo vede.`,
      todo: '',
    }),
    'settled-over-asked': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto.`,
      next: `${f.merchant} vede a quale indirizzo restituirlo.`,
      todo: `Se l’importo di ${f.excess} non arriva, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'settled-refunding': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto. ${f.merchant} ha deciso di restituire ${f.underWay}.`,
      next: 'A che punto è, si vede qui sotto. Il denaro è acquisito appena il rimborso è definitivo.',
      todo: `Se non arriva, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'settled-part-refunded': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto. ${f.sentBack}`,
      next: 'Ogni rimborso si vede qui sotto, con il suo stato.',
      todo: `Per domande sul resto, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'settled-refunded': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha ricevuto il pagamento di ${f.received}, cioè ${f.excess} in più di quanto richiesto. ${f.sentBack}`,
      next: 'Ciò che è stato inviato si vede qui sotto.',
      todo: `Se non si trova nel wallet, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'settled-accepted': (f) => ({
      title: 'Pagato',
      happened: `${f.merchant} ha accettato ${f.received} come pagamento completo.`,
      next: 'Non c’è più nulla da pagare.',
      todo: '',
    }),
    'settled-undone': (f) => ({
      title: 'Pagato, ma non sulla blockchain',
      happened: `Questo pagamento era concluso, poi ${f.network} ha tolto il denaro dai suoi ultimi blocchi.`,
      next: `Spesso ritorna in pochi minuti. ${f.merchant} ne è al corrente, e il pagamento resta valido.`,
      todo: `${doNotResend} Controllare nel wallet, e rivolgersi a ${f.merchant} se il denaro è ancora lì.`,
    }),
    arriving: (f) => ({
      title: 'Denaro in arrivo',
      happened: `Vediamo ${f.coming} per questo pagamento, che è già terminato. La rete può ancora annullare l’invio.`,
      next: `Appena l’arrivo è definitivo, questa pagina lo indica, e ${f.merchant} può decidere come procedere.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    expired: (f) => ({
      title: 'Il tempo per pagare è scaduto',
      happened: `Alle ${f.closesAt} non era arrivato nulla.`,
      next: 'Questo pagamento non è più possibile. Il denaro già inviato comparirà comunque qui al suo arrivo.',
      todo: startAgain(f.merchant),
    }),
    'expired-paid': (f) => ({
      title: 'Il denaro è arrivato, ma non tutto',
      happened: `Importo arrivato: ${f.receivedOf}. Il tempo per pagare è scaduto alle ${f.closesAt}; importo mancante: ${f.missing}.`,
      next: `${f.merchant} ne è al corrente, e può accettare il denaro o restituirlo.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    'expired-late': (f) => ({
      title: 'Il denaro è arrivato, ma troppo tardi',
      happened: `Importo arrivato: ${f.received}. Ma questo pagamento è terminato alle ${f.closesAt}.`,
      next: `${f.merchant} ne è al corrente, e può accettare il denaro o restituirlo.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    'expired-other': (f) => ({
      title: 'È arrivato denaro, ma non come richiesto',
      happened: `Importo arrivato: ${f.other}. Non è ciò che questo pagamento richiedeva. Il tempo per pagare è scaduto alle ${f.closesAt}.`,
      next: `${f.merchant} ne è al corrente, e può restituirlo.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    failed: (f) => ({
      title: 'Il pagamento non è riuscito',
      happened: `Il pagamento è stato visto su ${f.network}, ma poi sostituito o scartato prima di essere definitivo.`,
      next: `${f.merchant} non ha ricevuto nulla, e questo pagamento non è più possibile.`,
      todo: `Controllare nel wallet. Se il denaro è ancora lì, ricominciare presso ${f.merchant}. Se è partito, rivolgersi a ${f.merchant}.`,
    }),
    cancelled: (f) => ({
      title: 'Annullato',
      happened: 'Questo pagamento è stato annullato, e non è arrivato nulla.',
      next: 'Non c’è più nulla da pagare.',
      todo: startAgain(f.merchant),
    }),
    'cancelled-paid': (f) => ({
      title: 'Annullato, ma è arrivato denaro',
      happened: `Questo pagamento è stato annullato, ma del denaro è arrivato comunque: ${f.arrived}.`,
      next: `${f.merchant} ne è al corrente, e può restituirlo.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    refunding: (f) => ({
      title: 'Il denaro sarà restituito',
      happened: `${f.merchant} ha deciso di restituire ${f.underWay}.`,
      next: 'A che punto è, si vede qui sotto. Il denaro è acquisito appena il rimborso è definitivo.',
      todo: `Se non arriva, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    'part-refunded': (f) => ({
      title: 'Restituito in parte',
      happened: f.sentBack,
      next: 'Ogni rimborso si vede qui sotto, con il suo stato.',
      todo: `Per domande sul resto, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    refunded: (f) => ({
      title: 'Denaro restituito',
      happened: f.sentBack,
      next: 'Ciò che è stato inviato si vede qui sotto.',
      todo: `Se non si trova nel wallet, rivolgersi a ${f.merchant} indicando il riferimento qui sotto.`,
    }),
    dismissed: (f) => ({
      title: 'Non accettato come pagamento',
      happened: `${f.merchant} ha esaminato il denaro arrivato (${f.arrived}), e non lo ha accettato come pagamento.`,
      next: 'Qui non succede più nulla da sé.',
      todo: `Chiedere a ${f.merchant} che cosa ne sarà del denaro, indicando il riferimento qui sotto.`,
    }),
    refund: (f) => ({
      title: 'Dove inviare un rimborso?',
      happened: `${f.merchant} decide se restituire il denaro.`,
      next: `${f.merchant} vede ciò che viene indicato qui. Chiunque abbia il link a questa pagina potrebbe indicare qualcosa, perciò è possibile che venga prima chiesta una conferma.`,
      todo: 'Indicare un indirizzo che riceve lo stesso denaro sulla stessa rete.',
    }),
    'confirm-cancel': (f) => ({
      title: 'Annullare questo pagamento?',
      happened: 'Non è ancora stato pagato nulla.',
      next: 'Dopo l’annullamento questo pagamento non sarà più possibile.',
      todo: `Se l’invio è già avvenuto, non annullare: tornare indietro e attendere, oppure rivolgersi a ${f.merchant}.`,
    }),
  },

  announcements: {
    choose: () => 'Scegliere con che cosa pagare.',
    closed: () => 'Al momento nessun metodo di pagamento è disponibile.',
    suspended: (f) => `Al momento ${f.merchant} non può accettare pagamenti.`,
    waiting: (f) => `In attesa di ${f.due} su ${f.network}.`,
    blind: (f) => `I pagamenti su ${f.network} per ora non sono visibili. Non inviare nulla adesso.`,
    'too-late': () => 'È troppo tardi per inviare con sicurezza. Non inviare nulla adesso.',
    part: (f) => `Importo arrivato: ${f.received}. Importo mancante: ${f.missing}.`,
    seen: () => 'Il pagamento è stato visto. Non c’è nulla da fare.',
    confirmed: (f) => `Il pagamento è confermato: ${f.depth}.`,
    settled: (f) => `Pagato. ${f.merchant} ha ricevuto il pagamento.`,
    expired: () => 'Il tempo per pagare è scaduto. Non inviare nulla adesso.',
    arriving: () => 'Del denaro è in arrivo, ma l’invio non è ancora definitivo.',
    'expired-paid': (f) => `Il tempo per pagare è scaduto. ${f.merchant} decide sul denaro arrivato.`,
    failed: () => 'Il pagamento non è riuscito.',
    cancelled: () => 'Il pagamento è stato annullato. Non inviare nulla adesso.',
    'cancelled-paid': (f) => `Il pagamento è stato annullato, ma è arrivato del denaro: ${f.arrived}.`,
  },

  notices: {
    'option-closed':
      'Questo metodo di pagamento non è più disponibile da poco, perciò non è stato scelto nulla. Sceglierne un altro.',
    'too-late': 'Il tempo per pagare era scaduto, perciò non è stato modificato nulla.',
    'cannot-switch':
      'È già stato visto del denaro, perciò il metodo di pagamento non può più essere cambiato.',
    'cannot-cancel': 'È già stato visto del denaro, perciò questo pagamento non può più essere annullato.',
    'refund-stored': 'L’indirizzo per il rimborso è salvato.',
    'refund-decided':
      'Al momento qui non si può chiedere la restituzione di nulla, perciò non è stato salvato nulla.',
    'refund-too-often':
      'L’indirizzo è stato modificato troppo spesso, perciò non è stato salvato nulla. Usare il contatto qui sotto.',
  },

  refundFlaws: {
    'address-wrong': (network) =>
      `Questo non è un indirizzo su ${network}, oppure un carattere è sbagliato. Copiarlo di nuovo per intero.`,
    'address-ours': () => 'Questo indirizzo appartiene al pagamento stesso. Indicarne uno proprio.',
    'note-too-long': () => 'La nota è troppo lunga. C’è spazio per 500 caratteri.',
  },

  closedReasons: {
    no_rate: 'Nessun corso attuale',
    network_unavailable: 'Rete non raggiungibile',
    wallet_unsearched: 'Non ancora pronto',
    below_minimum: 'Importo troppo piccolo',
  },

  errors: {
    notFound: {
      title: 'Questo pagamento non esiste',
      happened: 'A questo indirizzo non c’è nessun pagamento.',
      next: 'Qui non si può pagare nulla.',
      todo: 'Verificare che il link sia completo, oppure ricominciare nel negozio di provenienza.',
    },
    error: {
      title: 'Qualcosa da noi non ha funzionato',
      happened: 'Questa pagina non ha potuto essere mostrata.',
      next: 'Il pagamento è al sicuro: ciò che è stato inviato viene registrato, e comparirà quando la pagina sarà tornata.',
      todo: 'Non inviare una seconda volta. Ricaricare questa pagina tra un minuto.',
    },
    refused: {
      title: 'Non ha funzionato',
      happened: 'Il server non ha accettato la richiesta.',
      next: 'Non è stato modificato nulla.',
      todo: 'Tornare al pagamento e riprovare.',
    },
    tooMany: {
      title: 'Troppe richieste',
      happened: 'Questa pagina è stata richiesta troppo spesso in poco tempo.',
      next: 'Il pagamento è al sicuro, e non è stato modificato nulla.',
      todo: 'Attendere un minuto e ricaricare questa pagina.',
    },
  },
  loadAgain: 'Ricaricare questa pagina',
  errorTraceId: 'Se il problema resta, indicare questo numero:',

  sandbox: 'Sandbox: niente denaro vero',
  testPayment: 'Pagamento di prova',
  documentTitle: (amount, state, merchant) => `${amount} · ${state} · ${merchant}`,
  stateNames: {
    choose: 'Scelta',
    closed: 'Non disponibile',
    suspended: 'Non disponibile',
    waiting: 'In attesa',
    blind: 'Non disponibile',
    'too-late': 'Troppo tardi',
    part: 'Parte ricevuta',
    seen: 'Rilevato',
    confirmed: 'Confermato',
    settled: 'Pagato',
    expired: 'Scaduto',
    arriving: 'In arrivo',
    'expired-paid': 'Scaduto',
    failed: 'Non riuscito',
    cancelled: 'Annullato',
    'cancelled-paid': 'Annullato',
  },

  and: (first, next) => `${first} e ${next}`,
  on: (network) => `su ${network}`,
  payBefore: 'Entro',
  sendExactly: 'Importo esatto',
  sendMissing: 'Inviare ancora',
  onlyOn: 'solo su',
  neverElsewhere: (asset) => `Mai su un’altra rete, mai altro che ${asset}.`,
  to: 'a',
  copyAmount: (amount) => `Copiare l’importo ${amount}`,
  copyAddress: 'Copiare l’indirizzo',
  qr: 'Codice QR',
  showCode: 'Mostrare il codice QR',
  qrWithAmount: 'Mostrare il codice QR con l’importo',
  qrAddressOnly: 'Il wallet non lo legge? Mostrare solo l’indirizzo',
  qrHintAddress: 'Inserire l’importo nel wallet.',
  qrAlt: (amount, network) => `Codice QR: indirizzo su ${network}, e ${amount}`,
  qrAltAddress: (network) => `Codice QR: indirizzo su ${network}`,
  apps: {
    choose: 'Aprire nel mio wallet',
    openIn: (wallet) => `Aprire in ${wallet}`,
    other: 'Altro wallet',
    opensPage: 'Questi aprono la pagina nel proprio browser:',
    nothingOpened:
      'Non si è aperto nulla? Scegliere un altro wallet, copiarvi l’importo e l’indirizzo qui sopra, oppure scansionare il codice con un altro dispositivo.',
  },
  browserWallet: {
    payWith: (wallet) => `Pagare con ${wallet}`,
    nameless: 'il proprio wallet',
    first: (amount, network) => `Il wallet chiede prima di inviare. Confermare solo ${amount} su ${network}.`,
    connects: 'Permettere a questa pagina, nel wallet, di vedere il conto.',
    asks: (amount, network) =>
      `Ora il wallet chiede una conferma. Confermare solo ${amount} su ${network}. Nessuna finestra aperta? Aprire il wallet dalla sua icona.`,
    refused: 'La richiesta è stata rifiutata nel wallet. Non è stato inviato nulla.',
    pending: 'Nel wallet è già aperta una domanda. Aprirlo dalla sua icona e rispondere.',
    unknownNetwork:
      'Il wallet non conosce questa rete. Aggiungerla prima, oppure usare il codice. Non è stato inviato nulla.',
    wrongNetwork: 'Il wallet è rimasto su un’altra rete. Non è stato inviato nulla.',
    noFunds: (amount, network) =>
      `Questo conto ha meno di ${amount} su ${network}, o troppo poco per la commissione di rete. Non è stato inviato nulla.`,
    changed: 'Nel frattempo questo pagamento è cambiato. Non è stato inviato nulla: guardarlo di nuovo.',
    failed: 'Il wallet non ha inviato, e dice:',
    sent: (network) =>
      `Inviato. Appena ${network} ne ha notizia, questa pagina lo dice da sola. Non c’è altro da fare.`,
    undone:
      'La rete ha rifiutato la transazione, e non è arrivato nulla. Guardare nel wallet, poi riprovare.',
    again: 'Il mio wallet non l’ha inviato: riprovare',
  },
  exactCall: {
    title: 'Che cosa sarà chiesto al wallet',
    amount: 'Importo',
    network: 'Rete',
    to: 'A',
    contract: 'Contratto',
    method: 'Metodo',
  },
  copyReference: 'Copiare il riferimento',

  exchange: {
    title: 'Pagamento da una piattaforma cripto?',
    choose: (asset, network) =>
      `Prelevare ${asset}, e scegliere ${network} come rete. Se la piattaforma non la offre, scegliere un altro metodo di pagamento.`,
    arrive: (amount) =>
      `Deve arrivare esattamente ${amount}. Se la piattaforma deduce la sua commissione dall’importo inserito, aggiungerla. Se accetta meno decimali, arrotondare per eccesso.`,
    batches: (before) =>
      `Alcune piattaforme inviano solo ogni mezz’ora. Ciò che arriva dopo le ${before} non è perso, ma il negozio deve accettarlo manualmente.`,
    feeLabel: (asset) => `Commissione della piattaforma, in ${asset}`,
    sum: (amount) => `Prelevare ${amount}.`,
    unread: 'Inserire un numero, per esempio 1.5, o una parte, per esempio 1 %.',
  },
  sent: {
    title: 'Ho già inviato',
    text: (network, settleTime) =>
      `Bene. Non c’è altro da fare: appena ${network} conosce il pagamento, questa pagina lo indica da sé. È definitivo ${settleTime} dopo. È possibile chiudere questa pagina; il pagamento vale comunque.`,
  },

  networkFee: (amount) => `commissione circa ${amount}`,
  about: {
    lessThanAMinute: 'meno di un minuto',
    aMinute: 'circa un minuto',
    minutes: (n) => `circa ${n} minuti`,
    hours: (n) => `circa ${n} ore`,
  },

  progress: 'Stato del pagamento',
  steps: { waiting: 'Attesa', seen: 'Rilevato', confirmed: 'Confermato', settled: 'Definitivo' },
  stepDone: 'fatto',
  tooMuch: (excess) => `È ${excess} in più di quanto richiesto.`,
  receivedOf: (received, due) => `${received} su ${due}`,

  transfers: 'Transazioni',
  moreTransfers: (count: number) => `e altre ${count}`,
  found: (amount) => `Abbiamo trovato ${amount}`,
  foundSeveral: 'Abbiamo trovato altre transazioni',
  other: {
    not: 'Non conta per questo pagamento.',
    ask: (merchant) => `Chiederne la restituzione a ${merchant}.`,
    leave: (merchant) => `${merchant} può restituirlo a un indirizzo indicato qui.`,
    asked: (merchant) => `${merchant} vede a quale indirizzo restituirlo.`,
    soon: () => 'Appena è definitivo, si potrà indicare qui dove restituirlo.',
  },
  transaction: 'Transazione',
  yourMoney: 'il denaro',
  thatNetwork: 'questa rete',
  transferState: {
    mempool: 'non ancora in un blocco',
    missing: 'per ora non sulla blockchain',
    gone: 'sostituita o scartata',
    included: (confirmations) => (confirmations === 1 ? '1 conferma' : `${confirmations} conferme`),
    final: 'definitiva',
    notFinal: (state) => `${state}, non ancora definitiva`,
  },
  depth: (have, need) =>
    `${have === 1 || need === 1 ? '1 conferma' : `${Math.min(have, need)} conferme`} su ${need}`,
  depthFinality: 'la rete lo fissa per sempre',

  facts: {
    amount: 'Importo',
    title: 'Per',
    to: 'A',
    paidTo: 'Pagato a',
    asked: 'Richiesto',
    received: 'Ricevuto',
    missing: 'Mancante',
    excess: 'In eccesso',
    rate: 'Corso',
    network: 'Rete',
    address: 'Indirizzo',
    settledAt: 'Definitivo il',
    endedAt: 'Terminato il',
    endsAt: 'Termina il',
    payment: 'Riferimento',
  },

  refunds: {
    title: 'Rimborsi',
    sentBack: (merchant, what) => `${merchant} ha restituito ${what}.`,
    recordedBack: (merchant, what) => `${merchant} indica di aver restituito ${what}.`,
    states: {
      asked: 'non ancora inviato',
      sent: 'inviato, non ancora in un blocco',
      seen: 'in un blocco, non ancora definitivo',
      final: 'definitivo',
      recorded: 'come annotato dal negozio',
      unfound: 'non trovato sulla rete',
      undone: 'per ora non sulla blockchain',
    },
  },

  refund: {
    title: 'In caso di rimborso',
    titleAfter: 'Indirizzo per il rimborso indicato qui',
    offer: (merchant) =>
      `${merchant} ha bisogno di un indirizzo a cui inviarlo. È possibile indicarne uno qui.`,
    leave: 'Indicare un indirizzo per il rimborso',
    change: 'Modificare l’indirizzo per il rimborso',
    asked: (when) => `Salvato il ${when}:`,
    unchecked: (merchant) =>
      `Nessuno lo ha verificato. È possibile che ${merchant} chieda conferma prima di inviare.`,
    earlier: 'Indicati prima, e sostituiti',
    network: 'Rete',
    address: (network) => (network === null ? 'Indirizzo proprio' : `Indirizzo proprio su ${network}`),
    addressHint:
      'Da una piattaforma cripto? Usare l’indirizzo al quale il conto vi riceve denaro, non quello da cui è partito.',
    note: 'Nota facoltativa (per esempio il numero d’ordine)',
    save: 'Salvare',
  },

  verify: {
    title: 'Verificare questo indirizzo',
    text: (merchant, saltOf) =>
      `Nessuno ne ha la chiave: può versare soltanto alla destinazione. Confrontare la destinazione con quella pubblicata da ${merchant}. In un explorer della rete, addressOf(destination, salt) del contratto dà l’indirizzo qui sopra; il sale è il keccak256 di «${saltOf}».`,
    contract: 'Contratto',
    destination: 'Destinazione',
    salt: 'Sale',
  },

  change: 'Altro metodo di pagamento',
  cancel: 'Annullare',
  cancelYes: 'Annullare questo pagamento',
  back: 'Indietro',
  returnTo: (merchant) => `Tornare a ${merchant}`,
  receipt: 'Ricevuta',
  details: 'Dettagli',
  print: 'Stampare o salvare la ricevuta',
  check: 'Verificare l’arrivo del pagamento',
  support: (merchant) => `Domande? Contattare ${merchant}:`,

  script: {
    copied: 'Copiato',
    left: (clock) => `Ancora ${clock}`,
    urgent: 'Meno di due minuti per inviare.',
  },
  unsent: {
    away: 'Il server non è raggiungibile, perciò non è stato modificato nulla. Riprovare quando la connessione sarà tornata.',
    unanswered:
      'Non c’è stata una vera risposta: forse è stato fatto, forse no. Guardare che cosa indica questa pagina prima di riprovare.',
    often: 'Era troppo spesso in poco tempo, perciò non è stato fatto. Attendere un minuto, poi riprovare.',
  },
  offline:
    'Al momento questa pagina non può essere aggiornata. Il pagamento è al sicuro; la pagina riprenderà da sé quando il server risponderà di nuovo.',
};
