import type { Catalogue } from './en.js';

const closePage = 'Vus na stuais far nagut pli. Vus pudais serrar questa pagina.';
const doNotResend = 'Na tramettai betg ina segunda giada.';
const sendNoMore = 'Na tramettai nagut pli.';
const askAbout = (merchant: string) =>
  `Sche Vus avais dumondas, contactai ${merchant} ed inditgai l’ID dal pajament qua sutvart.`;
const startAgain = (merchant: string) =>
  `Na tramettai ussa nagut. Sche Vus vulais anc pajar, cumenzai da nov tar ${merchant}.`;

/**
 * Rumantsch Grischun, with Vus. Written without a native reader (docs/languages.md). Amounts and dates are as in Swiss
 * German: of Romansh, Node writes a comma before the cents, which nobody in Switzerland does, and some browsers know
 * nothing.
 */
export const rm: Catalogue = {
  language: 'rm',
  name: 'Rumantsch',
  locale: 'rm-CH',
  notation: 'de-CH',
  languageChoice: 'Lingua',

  states: {
    choose: () => ({ title: 'Pajar cun', happened: '', next: '', todo: '' }),
    change: (f) => ({
      title: 'Pajar autramain',
      happened: `Da l’import tschernì (${f.due}) n’è anc arrivà nagut.`,
      next: 'Sche Vus avais gia tramess insatge, turnai enavos e spetgai fin ch’el arriva.',
      todo: '',
    }),
    closed: (f) => ({
      title: 'Actualmain na pon ins betg pajar',
      happened: 'Actualmain n’è nagina moda da pajar disponibla. Vus n’avais pajà nagut.',
      next: 'Questa pagina controllescha quai permanentamain e porscha ina moda da pajar uschespert ch’igl ha ina.',
      todo: `Spetgai qua, u dumandai ${f.merchant} per in’autra moda da pajar.`,
    }),
    suspended: (f) => ({
      title: 'Actualmain nagins pajaments',
      happened: `${f.merchant} na po actualmain betg retschaiver pajaments qua.`,
      next: 'Daners che Vus avais gia tramess vegnan tuttina registrads, cur ch’els arrivan.',
      todo: `Na tramettai ussa nagut. Dumandai ${f.merchant} tge ch’è da far.`,
    }),
    waiting: (f) => ({
      title: 'En spetga dal pajament',
      happened: `Uschespert che ${f.network} al enconuscha, stat quai da sasez sin questa pagina.`,
      next: '',
      todo: '',
    }),
    blind: (f) => ({
      title: `${f.network} n’è per il mument betg visibla`,
      happened: `Pajaments sin ${f.network} n’èn per il mument betg visibels, perquai na vegn dumandà nagin.`,
      next: `Quai che Vus avais gia tramess n’è betg pers: i vegn chattà uschespert che ${f.network} è puspè visibla. Quest pajament finescha a las ${f.closesAt}.`,
      todo: 'Na tramettai nagut ussa. Spetgai qua, u pajai en in’autra moda, sch’ina vegn purschida.',
    }),
    'too-late': (f) => ({
      title: 'Memia tard per trametter cun segirezza',
      happened: `Quest pajament finescha a las ${f.closesAt}, e ${f.network} dovra forsa dapli temp.`,
      next: `Quai che Vus tramettais ussa arriva forsa memia tard. ${f.merchant} stuess lura acceptar quai a maun.`,
      todo: `Na tramettai ussa nagut. Sche Vus avais gia tramess, spetgai qua. Uschiglio cumenzai in nov pajament tar ${f.merchant}.`,
    }),
    part: (f) => ({
      title: 'Ina part è arrivada',
      happened: `Import arrivà: ${f.receivedOf}.`,
      next: `Suenter las ${f.sendBefore} decida ${f.merchant} davart quai ch’è arrivà.`,
      todo: `Tramettai anc ${f.missing} a la medema adressa.`,
    }),
    'seen-mempool': (f) => ({
      title: 'Pajament vis',
      happened: `Voss pajament da ${f.received} è sin via. ${f.network} al ha vis, ma anc betg integrà en in bloc.`,
      next: `El è confermà uschespert ch’in bloc al cuntegna, e definitiv ${f.settleTime} suenter ch’el è vegnì vis.`,
      todo: closePage,
    }),
    seen: (f) => ({
      title: 'Pajament vis',
      happened: `Voss pajament da ${f.received} è arrivà sin ${f.network}.`,
      next: `El vegn confermà gist, ed è definitiv ${f.settleTime} suenter ch’el è vegnì vis.`,
      todo: closePage,
    }),
    confirmed: (f) => ({
      title: 'Pajament confermà',
      happened: `Voss pajament da ${f.received} è en in bloc da ${f.network}.`,
      next: `El è definitiv, cur che nagin n’al po pli revocar: ${f.depth}, ${f.settleTime} suenter ch’el è vegnì vis.`,
      todo: closePage,
    }),
    withheld: (f) => ({
      title: 'En spetga da la rait',
      happened: `Voss pajament è vegnì vis, ma ${f.network} al ha allontanà per il mument da ses ultims blocs.`,
      next: 'Quai capita, cur ch’ina rait metta en urden ses ultims blocs. Il pajament daventa definitiv uschespert ch’el è puspè qua.',
      todo: `${doNotResend} Sch’el n’è betg puspè qua en in’ura, contactai ${f.merchant}.`,
    }),
    settled: (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}.`,
      next: '',
      todo: '',
    }),
    'settled-over': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà.`,
      next: `${f.merchant} vesa quai.`,
      todo: `Sche Vus vulais survegnir enavos ${f.excess}, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'settled-over-offered': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà.`,
      next: `${f.merchant} vesa quai.`,
      todo: '',
    }),
    'settled-over-asked': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà.`,
      next: `${f.merchant} vesa nua che Vus vulais survegnir enavos ils daners.`,
      todo: `Sche ${f.excess} n’arrivan betg, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'settled-refunding': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà. ${f.merchant} ha decidì da trametter enavos ${f.underWay} a Vus.`,
      next: 'Quant lunsch che quai è, stat sutvart. Ils daners èn definitivamain Voss, cura che la restituziun è definitiva.',
      todo: `Sch’els n’arrivan betg, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'settled-part-refunded': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà. ${f.sentBack}`,
      next: 'Mintga restituziun stat sutvart, cun ses stadi.',
      todo: `Sche Vus avais dumondas davart il rest, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'settled-refunded': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha retschavì Voss pajament da ${f.received}. Quai è ${f.excess} dapli che dumandà. ${f.sentBack}`,
      next: 'Quai ch’è vegnì tramess stat sutvart.',
      todo: `Sche Vus n’als chattais betg en Voss wallet, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'settled-accepted': (f) => ({
      title: 'Pajà',
      happened: `${f.merchant} ha acceptà ${f.received} sco pajament cumplet.`,
      next: 'I na resta nagut da pajar.',
      todo: '',
    }),
    'settled-undone': (f) => ({
      title: 'Pajà, ma betg sin la blockchain',
      happened: `Quest pajament era terminà, lura ha ${f.network} allontanà ils daners da ses ultims blocs.`,
      next: `Savens èn els puspè qua suenter paucas minutas. ${f.merchant} sa da quai, ed il pajament resta valaivel.`,
      todo: `${doNotResend} Guardai en Voss wallet, e contactai ${f.merchant}, sch’ils daners èn anc là.`,
    }),
    arriving: (f) => ({
      title: 'Daners èn sin via',
      happened: `Nus vesain ${f.coming} per quest pajament, ch’è gia finì. La rait po anc revocar quai.`,
      next: `Uschespert che quai è definitiv, stat quai qua, e ${f.merchant} po decider co ch’i va vinavant.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    expired: (f) => ({
      title: 'Il temp per pajar è passà',
      happened: `Fin las ${f.closesAt} n’era arrivà nagut.`,
      next: 'Quest pajament n’è betg pli pussaivel. Daners che Vus avais gia tramess cumparan tuttina qua, cur ch’els arrivan.',
      todo: startAgain(f.merchant),
    }),
    'expired-paid': (f) => ({
      title: 'Voss daners èn arrivads, ma betg tuts',
      happened: `Import arrivà: ${f.receivedOf}. Il temp per pajar è finì a las ${f.closesAt}, ed i mancava ${f.missing}.`,
      next: `${f.merchant} sa da quai, e po acceptar ils daners u trametter enavos els.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    'expired-late': (f) => ({
      title: 'Voss daners èn arrivads, ma memia tard',
      happened: `Import arrivà: ${f.received}. Ma quest pajament è finì a las ${f.closesAt}.`,
      next: `${f.merchant} sa da quai, e po acceptar ils daners u trametter enavos els.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    'expired-other': (f) => ({
      title: 'Daners èn arrivads, ma betg sco dumandà',
      happened: `Import arrivà: ${f.other}. Quai n’era betg dumandà per quest pajament. Il temp per pajar è finì a las ${f.closesAt}.`,
      next: `${f.merchant} sa da quai, e po trametter enavos ils daners.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    failed: (f) => ({
      title: 'Il pajament n’è betg reussì',
      happened: `Voss pajament è vegnì vis sin ${f.network}, ma lura remplazzà u refusà, avant ch’el era definitiv.`,
      next: `${f.merchant} n’ha retschavì nagut, e quest pajament n’è betg pli pussaivel.`,
      todo: `Guardai en Voss wallet. Sch’ils daners èn anc là, cumenzai da nov tar ${f.merchant}. Sch’els èn davent, contactai ${f.merchant}.`,
    }),
    cancelled: (f) => ({
      title: 'Annullà',
      happened: 'Quest pajament è vegnì annullà, ed i n’è arrivà nagut.',
      next: 'I na resta nagut da pajar.',
      todo: startAgain(f.merchant),
    }),
    'cancelled-paid': (f) => ({
      title: 'Annullà, ma daners èn arrivads',
      happened: `Quest pajament è vegnì annullà, e tuttina èn arrivads daners: ${f.arrived}.`,
      next: `${f.merchant} sa da quai, e po trametter enavos ils daners.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    refunding: (f) => ({
      title: 'Vegn tramess enavos a Vus',
      happened: `${f.merchant} ha decidì da trametter enavos ${f.underWay} a Vus.`,
      next: 'Quant lunsch che quai è, stat sutvart. Ils daners èn definitivamain Voss, cura che la restituziun è definitiva.',
      todo: `Sch’els n’arrivan betg, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    'part-refunded': (f) => ({
      title: 'Tramess enavos per part',
      happened: f.sentBack,
      next: 'Mintga restituziun stat sutvart, cun ses stadi.',
      todo: `Sche Vus avais dumondas davart il rest, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    refunded: (f) => ({
      title: 'Tramess enavos a Vus',
      happened: f.sentBack,
      next: 'Quai ch’è vegnì tramess stat sutvart.',
      todo: `Sche Vus n’als chattais betg en Voss wallet, contactai ${f.merchant} ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    dismissed: (f) => ({
      title: 'Betg acceptà sco pajament',
      happened: `${f.merchant} ha examinà ils daners arrivads (${f.arrived}), e n’als ha betg acceptà sco pajament.`,
      next: 'Da sasez na capita qua nagut pli.',
      todo: `Dumandai ${f.merchant} tge che capita cun Voss daners, ed inditgai l’ID dal pajament qua sutvart.`,
    }),
    refund: (f) => ({
      title: 'Nua duai ir ina restituziun?',
      happened: `${f.merchant} decida, sch’ils daners vegnan tramess enavos.`,
      next: `${f.merchant} vesa quai che Vus inditgais qua. Mintgin che ha il link da questa pagina pudess far quai. Perquai vegnis Vus forsa dumandads l’emprim.`,
      todo: 'Inditgai in’adressa che retschaiva ils medems daners sin la medema rait.',
    }),
    'confirm-cancel': (f) => ({
      title: 'Annullar quest pajament?',
      happened: 'Anc n’è pajà nagut.',
      next: 'Sche Vus annullais, n’è quest pajament betg pli pussaivel.',
      todo: `Sche Vus avais gia tramess insatge, n’annullai betg: turnai enavos e spetgai, u contactai ${f.merchant}.`,
    }),
  },

  announcements: {
    choose: () => 'Tscherni cun tge che Vus pajais.',
    closed: () => 'Actualmain n’è nagina moda da pajar disponibla.',
    suspended: (f) => `${f.merchant} na po actualmain betg retschaiver pajaments.`,
    waiting: (f) => `En spetga da ${f.due} sin ${f.network}.`,
    blind: (f) => `Pajaments sin ${f.network} n’èn per il mument betg visibels. Na tramettai nagut ussa.`,
    'too-late': () => 'Igl è memia tard per trametter cun segirezza. Na tramettai ussa nagut.',
    part: (f) => `Import arrivà: ${f.received}. I manca ${f.missing}.`,
    seen: () => 'Voss pajament è vegnì vis. Vus na stuais far nagut.',
    confirmed: (f) => `Voss pajament è confermà: ${f.depth}.`,
    settled: (f) => `Pajà. ${f.merchant} ha retschavì Voss pajament.`,
    expired: () => 'Il temp per pajar è passà. Na tramettai ussa nagut.',
    arriving: () => 'Daners èn sin via, ma anc betg definitivamain qua.',
    'expired-paid': (f) => `Il temp per pajar è passà. ${f.merchant} decida davart ils daners arrivads.`,
    failed: () => 'Il pajament n’è betg reussì.',
    cancelled: () => 'Il pajament è vegnì annullà. Na tramettai ussa nagut.',
    'cancelled-paid': (f) => `Il pajament è vegnì annullà, ma daners èn arrivads: ${f.arrived}.`,
  },

  notices: {
    'option-closed':
      'Questa moda da pajar n’è dapi gist betg pli disponibla, perquai n’è tschernì nagut. Tscherni in’autra.',
    'too-late': 'Il temp per pajar era passà, perquai n’è midà nagut.',
    'cannot-switch': 'I èn gia vegnids vis daners, perquai na pon ins betg pli midar la moda da pajar.',
    'cannot-cancel': 'I èn gia vegnids vis daners, perquai na pon ins betg pli annullar quest pajament.',
    'refund-stored': 'Vossa adressa per ina restituziun è memorisada.',
    'refund-decided': 'Per il mument na po qua nagut vegnir dumandà enavos, perquai n’è memorisà nagut.',
    'refund-too-often':
      'L’adressa è vegnida midada memia savens, perquai n’è memorisà nagut. Duvrai il contact qua sutvart.',
  },

  refundFlaws: {
    'address-wrong': (network) =>
      `Quai n’è betg in’adressa sin ${network}, u in segn è fauss. Copiai ella anc ina giada cumplettamain.`,
    'address-ours': () => 'Questa adressa tutga tar il pajament sez. Inditgai in’atgna.',
    'note-too-long': () => 'La remartga è memia lunga. Igl ha plazza per 500 segns.',
  },

  closedReasons: {
    no_rate: 'Nagin curs actual',
    network_unavailable: 'Rait betg cuntanschibla',
    wallet_unsearched: 'Anc betg pront',
    below_minimum: 'Import memia pitschen',
  },

  errors: {
    notFound: {
      title: 'Quest pajament n’exista betg',
      happened: 'Sut questa adressa n’è nagin pajament.',
      next: 'Qua na pon ins pajar nagut.',
      todo: 'Controllai, sch’il link è cumplet, u cumenzai da nov en la butia, da la quala Vus vegnis.',
    },
    error: {
      title: 'Tar nus n’ha insatge betg funcziunà',
      happened: 'Questa pagina n’ha betg pudì vegnir mussada.',
      next: 'Voss pajament è segir: quai che Vus avais tramess vegn registrà e mussà, cur che la pagina è puspè qua.',
      todo: 'Na tramettai betg ina segunda giada. Chargiai questa pagina da nov en ina minuta.',
    },
    refused: {
      title: 'Quai n’ha betg funcziunà',
      happened: 'Il server n’ha betg acceptà la dumonda.',
      next: 'I n’è midà nagut.',
      todo: 'Turnai al pajament ed empruvai anc ina giada.',
    },
    tooMany: {
      title: 'Memia bleras dumondas',
      happened: 'Questa pagina è vegnida dumandada memia savens en curt temp.',
      next: 'Voss pajament è segir, ed i n’è midà nagut.',
      todo: 'Spetgai ina minuta e chargiai questa pagina da nov.',
    },
  },
  loadAgain: 'Chargiar questa pagina da nov',
  errorTraceId: 'Sche quai resta uschia, inditgai quest numer:',

  sandbox: 'Sandbox: nagins daners vairs',
  testPayment: 'Pajament da test',
  documentTitle: (amount, state, merchant) => `${amount} · ${state} · ${merchant}`,
  stateNames: {
    choose: 'Tscherna',
    closed: 'Betg disponibel',
    suspended: 'Betg disponibel',
    waiting: 'Spetgar',
    blind: 'Betg disponibel',
    'too-late': 'Memia tard',
    part: 'Retschavì ina part',
    seen: 'Vis',
    confirmed: 'Confermà',
    settled: 'Pajà',
    expired: 'Passà',
    arriving: 'Sin via',
    'expired-paid': 'Passà',
    failed: 'Betg reussì',
    cancelled: 'Annullà',
    'cancelled-paid': 'Annullà',
  },

  and: (first, next) => `${first} e ${next}`,
  on: (network) => `sin ${network}`,
  payBefore: 'Fin',
  sendExactly: 'Tramettai exact',
  sendMissing: 'Tramettai anc',
  onlyOn: 'mo sin',
  neverElsewhere: (asset) => `Mai sin in’autra rait, mai insatge auter che ${asset}.`,
  to: 'a',
  copyAmount: (amount) => `Copiar l’import ${amount}`,
  copyAddress: 'Copiar l’adressa',
  qr: 'Code QR',
  showCode: 'Mussar il code QR',
  qrWithAmount: 'Mussar il code QR cun l’import',
  qrAddressOnly: 'Il wallet n’al po betg leger? Mussar mo l’adressa',
  qrHintAddress: 'Endatai l’import en Voss wallet.',
  qrAlt: (amount, network) => `Code QR: adressa sin ${network}, e ${amount}`,
  qrAltAddress: (network) => `Code QR: adressa sin ${network}`,
  apps: {
    choose: 'Avrir en mes wallet',
    openIn: (wallet) => `Avrir en ${wallet}`,
    other: 'Auter wallet',
    opensPage: 'Quests avran questa pagina en lur agen navigatur:',
    nothingOpened:
      'N’è s’avert nagut? Tschernì in auter wallet, copiai l’import e l’adressa qua survart en Voss, u scannai il code cun in auter apparat.',
  },
  browserWallet: {
    payWith: (wallet) => `Pajar cun ${wallet}`,
    nameless: 'Voss wallet',
    first: (amount, network) =>
      `Voss wallet dumonda avant che trametter. Confermai mo ${amount} sin ${network}.`,
    connects: 'Lubì en Voss wallet che questa pagina vesia Voss conto.',
    asks: (amount, network) =>
      `Voss wallet dumonda ussa. Confermai mo ${amount} sin ${network}. N’è averta nagina fanestra? Avri Voss wallet cun si’icona.`,
    refused: 'Vus avais refusà en Voss wallet. I n’è vegnì tramess nagut.',
    pending: 'En Voss wallet è gia averta ina dumonda. Avri el cun si’icona, e respundai là.',
    unknownNetwork:
      'Voss wallet n’enconuscha betg questa rait. Agiuntai ella l’emprim, u duvrai il code. I n’è vegnì tramess nagut.',
    wrongNetwork: 'Voss wallet è restà sin in’autra rait. I n’è vegnì tramess nagut.',
    noFunds: (amount, network) =>
      `Quest conto ha main che ${amount} sin ${network}, u memia pauc per la taxa da la rait. I n’è vegnì tramess nagut.`,
    changed: 'Quest pajament è sa midà entant. I n’è vegnì tramess nagut: guardai anc ina giada.',
    failed: 'Voss wallet n’ha betg tramess, e di:',
    sent: (network) =>
      `Tramess. Uschespert che ${network} sa da quai, stat quai da sasez sin questa pagina. Vus na stuais far nagut pli.`,
    undone:
      'La rait ha refusà la transacziun, e nagut n’è arrivà. Guardai en Voss wallet, ed empruvai anc ina giada.',
    again: 'Mes wallet n’ha betg tramess: anc ina giada',
  },
  exactCall: {
    title: 'Tge che Voss wallet vegn dumandà',
    amount: 'Import',
    network: 'Rait',
    to: 'A',
    contract: 'Contract',
    method: 'Metoda',
  },
  copyReference: 'Copiar l’ID dal pajament',

  exchange: {
    title: 'Pajais Vus d’ina plattafurma da cripto?',
    choose: (asset, network) =>
      `Laschai pajar ora ${asset}, e tscherni ${network} sco rait. Sche Vossa plattafurma na porscha betg ella, tscherni in’autra moda da pajar.`,
    arrive: (amount) =>
      `Exact ${amount} sto arrivar. Sche Vossa plattafurma deduescha sia taxa da l’import endatà, agiuntai ella. Sch’ella prenda main decimalas, rundai ensi.`,
    batches: (before) =>
      `Tschertas plattafurmas tramettan mo mintga mesa ura. Quai che arriva suenter las ${before} n’è betg pers, ma la butia sto acceptar quai a maun.`,
    feeLabel: (asset) => `Taxa da Vossa plattafurma, en ${asset}`,
    sum: (amount) => `Laschai pajar ora ${amount}.`,
    unread: 'Endatai in dumber, per exempel 1.5, u ina part, per exempel 1 %.',
  },
  sent: {
    title: 'Jau hai tramess',
    text: (network, settleTime) =>
      `Bun. Vus na stuais far nagut pli: uschespert che ${network} enconuscha Voss pajament, stat quai da sasez sin questa pagina. El è definitiv ${settleTime} pli tard. Vus pudais serrar questa pagina; il pajament vala tuttina.`,
  },

  networkFee: (amount) => `taxa var ${amount}`,
  about: {
    lessThanAMinute: 'main ch’ina minuta',
    aMinute: 'var ina minuta',
    minutes: (n) => `var ${n} minutas`,
    hours: (n) => `var ${n} uras`,
  },

  progress: 'Stadi dal pajament',
  steps: { waiting: 'Spetgar', seen: 'Vis', confirmed: 'Confermà', settled: 'Definitiv' },
  stepDone: 'fatg',
  tooMuch: (excess) => `Quai è ${excess} dapli che dumandà.`,
  receivedOf: (received, due) => `${received} da ${due}`,

  transfers: 'Transacziuns',
  moreTransfers: (count: number) => `e ${count} ulteriuras`,
  found: (amount) => `Nus avain chattà ${amount}`,
  foundSeveral: 'Nus avain chattà autras transacziuns',
  other: {
    not: 'Quai na dumbra betg per quest pajament.',
    ask: (merchant) => `Dumandai ${merchant} per survegnir enavos ils daners.`,
    leave: (merchant) => `${merchant} po trametter enavos ils daners ad in’adressa che Vus inditgais.`,
    asked: (merchant) => `${merchant} vesa nua che Vus vulais survegnir enavos ils daners.`,
    soon: () => 'Uschespert ch’els èn definitivs, pudais Vus inditgar qua nua ch’els duain ir enavos.',
  },
  transaction: 'Transacziun',
  yourMoney: 'Voss daners',
  thatNetwork: 'questa rait',
  transferState: {
    mempool: 'anc en nagin bloc',
    missing: 'per il mument betg sin la blockchain',
    gone: 'remplazzada u refusada',
    included: (confirmations) => (confirmations === 1 ? '1 conferma' : `${confirmations} confermas`),
    final: 'definitiva',
    notFinal: (state) => `${state}, anc betg definitiva`,
  },
  depth: (have, need) => `${Math.min(have, need)} da ${need} confermas`,
  depthFinality: 'la rait al fixescha per adina',

  facts: {
    amount: 'Import',
    title: 'Per',
    to: 'A',
    paidTo: 'Pajà a',
    asked: 'Dumandà',
    received: 'Retschavì',
    missing: 'I manca',
    excess: 'Memia bler',
    rate: 'Curs',
    network: 'Rait',
    address: 'Adressa',
    settledAt: 'Definitiv',
    endedAt: 'Finì',
    endsAt: 'Finescha',
    payment: 'ID dal pajament',
  },

  refunds: {
    title: 'Restituziuns',
    sentBack: (merchant, what) => `${merchant} ha tramess enavos ${what} a Vus.`,
    recordedBack: (merchant, what) => `${merchant} ha notà d’avair tramess enavos ${what} a Vus.`,
    states: {
      asked: 'anc betg tramessa',
      sent: 'tramessa, anc en nagin bloc',
      seen: 'en in bloc, anc betg definitiva',
      final: 'definitiva',
      recorded: 'sco notà da la butia',
      unfound: 'betg chattada en la rait',
      undone: 'per il mument betg sin la blockchain',
    },
  },

  refund: {
    title: 'Sch’ils daners vegnan enavos',
    titleAfter: 'Adressa per la restituziun inditgada qua',
    offer: (merchant) => `${merchant} dovra per quai in’adressa da Vus. Vus pudais inditgar ina qua.`,
    leave: 'Inditgar in’adressa per la restituziun',
    change: 'Midar l’adressa per la restituziun',
    asked: (when) => `Memorisà ils ${when}:`,
    unchecked: (merchant) =>
      `Nagin n’ha controllà ella. ${merchant} As dumonda forsa, avant che insatge vegn tramess.`,
    earlier: 'Inditgadas pli baud, e remplazzadas',
    network: 'Rait',
    address: (network) => (network === null ? 'Vossa adressa' : `Vossa adressa sin ${network}`),
    addressHint:
      'D’ina plattafurma da cripto? Prendai l’adressa, sin la quala Voss conto retschaiva daners là, betg quella, da la quala els èn vegnids tramess.',
    note: 'Remartga, sche Vus vulais (per exempel il numer da l’empustaziun)',
    save: 'Memorisar',
  },

  verify: {
    title: 'Controllar questa adressa',
    text: (merchant, saltOf) =>
      `Nagin n’ha ina clav per ella: ella po pajar mo a la destinaziun. Cumparegliai la destinaziun cun quella che ${merchant} ha publitgà. En in explorer da la rait di addressOf(destination, salt) dal contract l’adressa survart; il sal è il keccak256 da «${saltOf}».`,
    contract: 'Contract',
    destination: 'Destinaziun',
    salt: 'Sal',
  },

  change: 'Autra moda da pajar',
  cancel: 'Annullar',
  cancelYes: 'Annullar quest pajament',
  back: 'Enavos',
  returnTo: (merchant) => `Enavos tar ${merchant}`,
  receipt: 'Quittanza',
  details: 'Detagls',
  print: 'Stampar u memorisar la quittanza',
  check: 'Controllar, sch’igl è arrivà insatge',
  support: (merchant) => `Dumondas? Contactai ${merchant}:`,

  script: {
    copied: 'Copià',
    left: (clock) => `Anc ${clock}`,
    urgent: 'Anc main che duas minutas per trametter.',
  },
  unsent: {
    away: 'Il server n’è betg cuntanschibel, perquai n’è midà nagut. Empruvai anc ina giada, cur che la colliaziun è puspè qua.',
    unanswered:
      'I n’è arrivada nagina vaira resposta: forsa è quai vegnì fatg, forsa betg. Guardai tge che questa pagina mussa avant che Vus empruvais anc ina giada.',
    often:
      'Quai era memia savens en curt temp, perquai n’è quai betg vegnì fatg. Spetgai ina minuta ed empruvai lura anc ina giada.',
  },
  offline:
    'Questa pagina na po per il mument betg vegnir actualisada. Voss pajament è segir; la pagina cuntinuescha da sasez, cur ch’il server respunda puspè.',
};
