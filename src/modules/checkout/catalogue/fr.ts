import type { Catalogue } from './en.js';

/** Before ":", ";" and "?": narrow, and no line ends there. */
const NARROW = '\u202f';

const closePage = 'Vous n’avez plus rien à faire. Vous pouvez fermer cette page.';
const doNotResend = 'N’envoyez pas une deuxième fois.';
const sendNoMore = 'N’envoyez plus rien.';
const askAbout = (merchant: string) =>
  `Pour toute question, contactez ${merchant} et indiquez la référence ci-dessous.`;
const startAgain = (merchant: string) =>
  `N’envoyez rien maintenant. Si vous souhaitez toujours payer, recommencez chez ${merchant}.`;

/**
 * With "vous". Amounts stand where no word has to agree with their number, and merchants where none has to with their
 * gender.
 */
export const fr: Catalogue = {
  language: 'fr',
  name: 'Français',
  locale: 'fr-CH',
  notation: 'fr-CH',
  languageChoice: 'Langue',

  states: {
    choose: () => ({ title: 'Payer avec', happened: '', next: '', todo: '' }),
    change: (f) => ({
      title: 'Payer autrement',
      happened: `Rien n’est encore arrivé du montant choisi (${f.due}).`,
      next: 'Si vous avez déjà envoyé quelque chose, revenez en arrière et attendez son arrivée.',
      todo: '',
    }),
    closed: (f) => ({
      title: 'Aucun paiement possible pour le moment',
      happened: 'Aucun moyen de paiement n’est disponible pour le moment. Vous n’avez rien payé.',
      next: 'Cette page vérifie sans cesse et propose un moyen de paiement dès qu’il y en a un.',
      todo: `Attendez ici, ou demandez un autre moyen de paiement à ${f.merchant}.`,
    }),
    suspended: (f) => ({
      title: 'Pas de paiements pour le moment',
      happened: `${f.merchant} ne peut pas accepter de paiements ici pour le moment.`,
      next: 'L’argent déjà envoyé est tout de même enregistré à son arrivée.',
      todo: `N’envoyez rien maintenant. Demandez à ${f.merchant} ce qu’il faut faire.`,
    }),
    waiting: (f) => ({
      title: 'En attente du paiement',
      happened: `Dès que ${f.network} le connaît, cette page l’indique d’elle-même.`,
      next: '',
      todo: '',
    }),
    blind: (f) => ({
      title: `${f.network} n’est pas visible pour l’instant`,
      happened: `Les paiements sur ${f.network} ne sont pas visibles pour l’instant, aucun n’est donc demandé.`,
      next: `Ce que vous avez déjà envoyé n’est pas perdu${NARROW}: il sera trouvé dès que ${f.network} sera de nouveau visible. Ce paiement prend fin à ${f.closesAt}.`,
      todo: 'N’envoyez rien maintenant. Attendez ici, ou payez autrement si un autre moyen est proposé.',
    }),
    'too-late': (f) => ({
      title: 'Trop tard pour envoyer sans risque',
      happened: `Ce paiement prend fin à ${f.closesAt}, et ${f.network} pourrait avoir besoin de plus de temps.`,
      next: `Un envoi fait maintenant risque d’arriver trop tard. ${f.merchant} devrait alors l’accepter à la main.`,
      todo: `N’envoyez rien maintenant. Si vous avez déjà envoyé, attendez ici. Sinon, commencez un nouveau paiement chez ${f.merchant}.`,
    }),
    part: (f) => ({
      title: 'Une partie est arrivée',
      happened: `Montant arrivé${NARROW}: ${f.receivedOf}.`,
      next: `Après ${f.sendBefore}, ${f.merchant} décidera de ce qui est arrivé.`,
      todo: `Envoyez encore ${f.missing} à la même adresse.`,
    }),
    'seen-mempool': (f) => ({
      title: 'Paiement repéré',
      happened: `Votre paiement de ${f.received} est en route. ${f.network} l’a vu, mais pas encore inclus dans un bloc.`,
      next: `Il est confirmé dès qu’un bloc le contient, et définitif ${f.settleTime} après avoir été vu.`,
      todo: closePage,
    }),
    seen: (f) => ({
      title: 'Paiement repéré',
      happened: `Votre paiement de ${f.received} est arrivé sur ${f.network}.`,
      next: `Il sera confirmé dans un instant, et définitif ${f.settleTime} après avoir été vu.`,
      todo: closePage,
    }),
    confirmed: (f) => ({
      title: 'Paiement confirmé',
      happened: `Votre paiement de ${f.received} est inclus dans un bloc de ${f.network}.`,
      next: `Il est définitif quand plus personne ne peut l’annuler${NARROW}: ${f.depth}, ${f.settleTime} après avoir été vu.`,
      todo: closePage,
    }),
    withheld: (f) => ({
      title: 'En attente du réseau',
      happened: `Votre paiement a été vu, mais ${f.network} l’a retiré pour l’instant de ses derniers blocs.`,
      next: 'Cela arrive quand un réseau met ses derniers blocs en ordre. Le paiement deviendra définitif une fois de retour.',
      todo: `${doNotResend} S’il n’est pas de retour dans une heure, contactez ${f.merchant}.`,
    }),
    settled: (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}.`,
      next: '',
      todo: '',
    }),
    'settled-over': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé.`,
      next: `${f.merchant} le voit.`,
      todo: `Si vous souhaitez récupérer ${f.excess}, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'settled-over-offered': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé.`,
      next: `${f.merchant} le voit.`,
      todo: '',
    }),
    'settled-over-asked': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé.`,
      next: `${f.merchant} voit où vous souhaitez le recevoir.`,
      todo: `Si vous ne recevez pas ${f.excess}, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'settled-refunding': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé. ${f.merchant} a décidé de vous renvoyer ${f.underWay}.`,
      next: 'L’avancement est indiqué ci-dessous. L’argent est définitivement à vous dès que le remboursement est définitif.',
      todo: `S’il n’arrive pas, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'settled-part-refunded': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé. ${f.sentBack}`,
      next: 'Chaque remboursement est indiqué ci-dessous, avec son état.',
      todo: `Pour toute question sur le reste, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'settled-refunded': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a reçu votre paiement de ${f.received}. C’est ${f.excess} de plus que demandé. ${f.sentBack}`,
      next: 'Ce qui a été envoyé est indiqué ci-dessous.',
      todo: `Si vous ne le trouvez pas dans votre portefeuille, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'settled-accepted': (f) => ({
      title: 'Payé',
      happened: `${f.merchant} a accepté ${f.received} comme paiement complet.`,
      next: 'Il n’y a plus rien à payer.',
      todo: '',
    }),
    'settled-undone': (f) => ({
      title: 'Payé, mais absent de la blockchain',
      happened: `Ce paiement avait abouti, puis ${f.network} a retiré de ses derniers blocs l’argent envoyé.`,
      next: `Il revient souvent en quelques minutes. ${f.merchant} en est au courant, et le paiement reste valable.`,
      todo: `${doNotResend} Regardez dans votre portefeuille, et contactez ${f.merchant} si l’argent y est encore.`,
    }),
    arriving: (f) => ({
      title: 'De l’argent est en route',
      happened: `Nous voyons ${f.coming} pour ce paiement, qui a pris fin. Le réseau peut encore annuler l’envoi.`,
      next: `Dès que l’argent est là pour de bon, cette page l’indique, et ${f.merchant} peut décider de la suite.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    expired: (f) => ({
      title: 'Le délai de paiement est écoulé',
      happened: `Rien n’était arrivé à ${f.closesAt}.`,
      next: 'Ce paiement n’est plus possible. L’argent déjà envoyé s’affichera tout de même ici à son arrivée.',
      todo: startAgain(f.merchant),
    }),
    'expired-paid': (f) => ({
      title: 'Votre argent est arrivé, mais pas en entier',
      happened: `Montant arrivé${NARROW}: ${f.receivedOf}. Le délai de paiement a pris fin à ${f.closesAt}, et il manquait ${f.missing}.`,
      next: `${f.merchant} en est au courant, et peut accepter l’argent ou vous le renvoyer.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    'expired-late': (f) => ({
      title: 'Votre argent est arrivé, mais trop tard',
      happened: `Montant arrivé${NARROW}: ${f.received}. Mais ce paiement a pris fin à ${f.closesAt}.`,
      next: `${f.merchant} en est au courant, et peut accepter l’argent ou vous le renvoyer.`,
      todo: `${doNotResend} ${askAbout(f.merchant)}`,
    }),
    'expired-other': (f) => ({
      title: 'De l’argent est arrivé, mais pas comme demandé',
      happened: `Montant arrivé${NARROW}: ${f.other}. Ce n’est pas ce que ce paiement demandait. Le délai de paiement a pris fin à ${f.closesAt}.`,
      next: `${f.merchant} en est au courant, et peut vous le renvoyer.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    failed: (f) => ({
      title: 'Le paiement a échoué',
      happened: `Votre paiement a été vu sur ${f.network}, puis remplacé ou rejeté avant d’être définitif.`,
      next: `${f.merchant} n’a rien reçu, et ce paiement n’est plus possible.`,
      todo: `Regardez dans votre portefeuille. Si l’argent y est encore, recommencez chez ${f.merchant}. S’il est parti, contactez ${f.merchant}.`,
    }),
    cancelled: (f) => ({
      title: 'Annulé',
      happened: 'Ce paiement a été annulé, et rien n’est arrivé.',
      next: 'Il n’y a plus rien à payer.',
      todo: startAgain(f.merchant),
    }),
    'cancelled-paid': (f) => ({
      title: 'Annulé, mais de l’argent est arrivé',
      happened: `Ce paiement a été annulé, et de l’argent est arrivé quand même${NARROW}: ${f.arrived}.`,
      next: `${f.merchant} en est au courant, et peut vous le renvoyer.`,
      todo: `${sendNoMore} ${askAbout(f.merchant)}`,
    }),
    refunding: (f) => ({
      title: 'L’argent va vous être renvoyé',
      happened: `${f.merchant} a décidé de vous renvoyer ${f.underWay}.`,
      next: 'L’avancement est indiqué ci-dessous. L’argent est définitivement à vous dès que le remboursement est définitif.',
      todo: `S’il n’arrive pas, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    'part-refunded': (f) => ({
      title: 'Renvoyé en partie',
      happened: f.sentBack,
      next: 'Chaque remboursement est indiqué ci-dessous, avec son état.',
      todo: `Pour toute question sur le reste, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    refunded: (f) => ({
      title: 'L’argent vous a été renvoyé',
      happened: f.sentBack,
      next: 'Ce qui a été envoyé est indiqué ci-dessous.',
      todo: `Si vous ne le trouvez pas dans votre portefeuille, contactez ${f.merchant} et indiquez la référence ci-dessous.`,
    }),
    dismissed: (f) => ({
      title: 'Pas accepté comme paiement',
      happened: `${f.merchant} a examiné l’argent arrivé (${f.arrived}), et ne l’a pas accepté comme paiement.`,
      next: 'Ici, plus rien ne se passe de soi-même.',
      todo: `Demandez à ${f.merchant} ce que devient votre argent, et indiquez la référence ci-dessous.`,
    }),
    refund: (f) => ({
      title: `Où envoyer un remboursement${NARROW}?`,
      happened: `${f.merchant} décide si l’argent est renvoyé.`,
      next: `${f.merchant} voit ce que vous indiquez ici. Toute personne qui a le lien vers cette page pourrait en faire autant. On vous demandera donc peut-être d’abord de confirmer.`,
      todo: 'Indiquez une adresse qui reçoit le même argent sur le même réseau.',
    }),
    'confirm-cancel': (f) => ({
      title: `Annuler ce paiement${NARROW}?`,
      happened: 'Rien n’a encore été payé.',
      next: 'Si vous annulez, ce paiement ne sera plus possible.',
      todo: `Si vous avez déjà envoyé quelque chose, n’annulez pas${NARROW}: revenez en arrière et attendez, ou contactez ${f.merchant}.`,
    }),
  },

  announcements: {
    choose: () => 'Choisissez avec quoi vous payez.',
    closed: () => 'Aucun moyen de paiement n’est disponible pour le moment.',
    suspended: (f) => `${f.merchant} ne peut pas accepter de paiements pour le moment.`,
    waiting: (f) => `En attente de ${f.due} sur ${f.network}.`,
    blind: (f) =>
      `Les paiements sur ${f.network} ne sont pas visibles pour l’instant. N’envoyez rien maintenant.`,
    'too-late': () => 'Il est trop tard pour envoyer sans risque. N’envoyez rien maintenant.',
    part: (f) => `Montant arrivé${NARROW}: ${f.received}. Il manque ${f.missing}.`,
    seen: () => 'Votre paiement a été vu. Vous n’avez rien à faire.',
    confirmed: (f) => `Votre paiement est confirmé${NARROW}: ${f.depth}.`,
    settled: (f) => `Payé. ${f.merchant} a reçu votre paiement.`,
    expired: () => 'Le délai de paiement est écoulé. N’envoyez rien maintenant.',
    arriving: () => 'De l’argent est en route, mais l’envoi n’est pas encore définitif.',
    'expired-paid': (f) => `Le délai de paiement est écoulé. ${f.merchant} décidera de l’argent arrivé.`,
    failed: () => 'Le paiement a échoué.',
    cancelled: () => 'Le paiement a été annulé. N’envoyez rien maintenant.',
    'cancelled-paid': (f) => `Le paiement a été annulé, mais de l’argent est arrivé${NARROW}: ${f.arrived}.`,
  },

  notices: {
    'option-closed':
      'Ce moyen de paiement vient de devenir indisponible, donc rien n’a été choisi. Choisissez-en un autre.',
    'too-late': 'Le délai de paiement était écoulé, donc rien n’a été modifié.',
    'cannot-switch': 'De l’argent a été vu, donc le moyen de paiement ne peut plus être changé.',
    'cannot-cancel': 'De l’argent a été vu, donc ce paiement ne peut plus être annulé.',
    'refund-stored': 'Votre adresse de remboursement est enregistrée.',
    'refund-decided': 'Pour l’instant, rien ne peut être redemandé ici, donc rien n’a été enregistré.',
    'refund-too-often':
      'L’adresse a été modifiée trop souvent, donc rien n’a été enregistré. Utilisez le contact ci-dessous.',
  },

  refundFlaws: {
    'address-wrong': (network) =>
      `Ce n’est pas une adresse sur ${network}, ou un caractère est faux. Copiez-la encore une fois en entier.`,
    'address-ours': () => 'Cette adresse appartient au paiement lui-même. Indiquez une adresse à vous.',
    'note-too-long': () => 'La remarque est trop longue. Il y a de la place pour 500 caractères.',
  },

  closedReasons: {
    no_rate: 'Pas de cours actuel',
    network_unavailable: 'Réseau inaccessible',
    wallet_unsearched: 'Pas encore prêt',
    below_minimum: 'Montant trop petit',
  },

  errors: {
    notFound: {
      title: 'Ce paiement n’existe pas',
      happened: 'Il n’y a pas de paiement à cette adresse.',
      next: 'Rien ne peut être payé ici.',
      todo: 'Vérifiez que le lien est complet, ou recommencez dans la boutique d’où vous venez.',
    },
    error: {
      title: 'Un problème est survenu chez nous',
      happened: 'Cette page n’a pas pu être affichée.',
      next: `Votre paiement est en sécurité${NARROW}: ce que vous avez envoyé est enregistré et s’affichera quand la page sera de retour.`,
      todo: 'N’envoyez pas une deuxième fois. Rechargez cette page dans une minute.',
    },
    refused: {
      title: 'Cela n’a pas fonctionné',
      happened: 'Le serveur n’a pas accepté la demande.',
      next: 'Rien n’a été modifié.',
      todo: 'Revenez au paiement et réessayez.',
    },
    tooMany: {
      title: 'Trop de demandes',
      happened: 'Cette page a été demandée trop souvent en peu de temps.',
      next: 'Votre paiement est en sécurité, et rien n’a été modifié.',
      todo: 'Attendez une minute et rechargez cette page.',
    },
  },
  loadAgain: 'Recharger cette page',
  errorTraceId: `Si cela dure, indiquez ce numéro${NARROW}:`,

  sandbox: `Sandbox${NARROW}: pas d’argent réel`,
  testPayment: 'Paiement d’essai',
  documentTitle: (amount, state, merchant) => `${amount} · ${state} · ${merchant}`,
  stateNames: {
    choose: 'Choix',
    closed: 'Indisponible',
    suspended: 'Indisponible',
    waiting: 'En attente',
    blind: 'Indisponible',
    'too-late': 'Trop tard',
    part: 'Partie reçue',
    seen: 'Repéré',
    confirmed: 'Confirmé',
    settled: 'Payé',
    expired: 'Expiré',
    arriving: 'En route',
    'expired-paid': 'Expiré',
    failed: 'Échoué',
    cancelled: 'Annulé',
    'cancelled-paid': 'Annulé',
  },

  and: (first, next) => `${first} et ${next}`,
  on: (network) => `sur ${network}`,
  payBefore: 'Jusqu’au',
  sendExactly: 'Montant exact',
  sendMissing: 'Envoyez encore',
  onlyOn: 'seulement sur',
  neverElsewhere: (asset) => `Jamais sur un autre réseau, jamais autre chose que ${asset}.`,
  to: 'à',
  copyAmount: (amount) => `Copier le montant ${amount}`,
  copyAddress: 'Copier l’adresse',
  qr: 'Code QR',
  showCode: 'Afficher le code QR',
  qrWithAmount: 'Afficher le code QR avec le montant',
  qrAddressOnly: `Portefeuille incompatible${NARROW}? Afficher l’adresse seule`,
  qrHintAddress: 'Saisissez le montant dans votre portefeuille.',
  qrAlt: (amount, network) => `Code QR${NARROW}: adresse sur ${network}, et ${amount}`,
  qrAltAddress: (network) => `Code QR${NARROW}: adresse sur ${network}`,
  apps: {
    choose: 'Ouvrir dans mon portefeuille',
    openIn: (wallet) => `Ouvrir dans ${wallet}`,
    other: 'Autre portefeuille',
    opensPage: `Ceux-ci ouvrent cette page dans leur propre navigateur${NARROW}:`,
    nothingOpened: `Rien ne s’est ouvert${NARROW}? Choisissez un autre portefeuille, copiez le montant et l’adresse ci-dessus dans le vôtre, ou scannez le code avec un autre appareil.`,
  },
  browserWallet: {
    payWith: (wallet) => `Payer avec ${wallet}`,
    nameless: 'votre portefeuille',
    first: (amount, network) =>
      `Votre portefeuille demande avant d’envoyer. Confirmez seulement ${amount} sur ${network}.`,
    connects: 'Autorisez cette page, dans votre portefeuille, à voir votre compte.',
    asks: (amount, network) =>
      `Votre portefeuille vous interroge. Confirmez seulement ${amount} sur ${network}. Aucune fenêtre ouverte${NARROW}? Ouvrez votre portefeuille par son icône.`,
    refused: 'Vous avez refusé dans votre portefeuille. Rien n’a été envoyé.',
    pending: 'Une question est déjà ouverte dans votre portefeuille. Ouvrez-le par son icône, et répondez-y.',
    unknownNetwork:
      'Votre portefeuille ne connaît pas ce réseau. Ajoutez-le d’abord, ou utilisez le code. Rien n’a été envoyé.',
    wrongNetwork: 'Votre portefeuille est resté sur un autre réseau. Rien n’a été envoyé.',
    noFunds: (amount, network) =>
      `Ce compte a moins de ${amount} sur ${network}, ou trop peu pour les frais de réseau. Rien n’a été envoyé.`,
    changed: `Ce paiement a changé entre-temps. Rien n’a été envoyé${NARROW}: regardez-le encore une fois.`,
    failed: `Votre portefeuille n’a pas envoyé, et dit${NARROW}:`,
    sent: (network) =>
      `Envoyé. Dès que ${network} en a connaissance, cette page le dit d’elle-même. Vous n’avez plus rien à faire.`,
    undone:
      'Le réseau a refusé la transaction, et rien n’est arrivé. Regardez dans votre portefeuille, puis réessayez.',
    again: `Mon portefeuille ne l’a pas envoyé${NARROW}: réessayer`,
  },
  exactCall: {
    title: 'Ce qui sera demandé à votre portefeuille',
    amount: 'Montant',
    network: 'Réseau',
    to: 'À',
    contract: 'Contrat',
    method: 'Méthode',
  },
  copyReference: 'Copier la référence',

  exchange: {
    title: `Vous payez depuis une plateforme crypto${NARROW}?`,
    choose: (asset, network) =>
      `Retirez des ${asset}, et choisissez ${network} comme réseau. Si votre plateforme ne le propose pas, choisissez un autre moyen de paiement.`,
    arrive: (amount) =>
      `Il doit arriver exactement ${amount}. Si votre plateforme déduit ses frais du montant saisi, ajoutez-les. Si elle accepte moins de décimales, arrondissez vers le haut.`,
    batches: (before) =>
      `Certaines plateformes n’envoient que toutes les demi-heures. Ce qui arrive après ${before} n’est pas perdu, mais la boutique doit l’accepter à la main.`,
    feeLabel: (asset) => `Frais de votre plateforme, en ${asset}`,
    sum: (amount) => `Retirez ${amount}.`,
    unread: 'Saisissez un nombre, par exemple 1.5, ou une part, par exemple 1 %.',
  },
  sent: {
    title: 'J’ai fait l’envoi',
    text: (network, settleTime) =>
      `Bien. Vous n’avez plus rien à faire${NARROW}: dès que ${network} connaît votre paiement, cette page l’indique d’elle-même. Il est définitif ${settleTime} plus tard. Vous pouvez fermer cette page${NARROW}; le paiement compte quand même.`,
  },

  networkFee: (amount) => `frais d’environ ${amount}`,
  about: {
    lessThanAMinute: 'moins d’une minute',
    aMinute: 'environ une minute',
    minutes: (n) => `environ ${n} minutes`,
    hours: (n) => `environ ${n} heures`,
  },

  progress: 'Progression',
  steps: { waiting: 'En attente', seen: 'Repéré', confirmed: 'Confirmé', settled: 'Définitif' },
  stepDone: 'fait',
  tooMuch: (excess) => `C’est ${excess} de plus que demandé.`,
  receivedOf: (received, due) => `${received} sur ${due}`,

  transfers: 'Transactions',
  moreTransfers: (count: number) => `et ${count} de plus`,
  found: (amount) => `Nous avons trouvé ${amount}`,
  foundSeveral: 'Nous avons trouvé d’autres transactions',
  other: {
    not: 'Cela ne compte pas pour ce paiement.',
    ask: (merchant) => `Demandez à ${merchant} de vous le renvoyer.`,
    leave: (merchant) => `${merchant} peut renvoyer cet argent à une adresse que vous indiquez.`,
    asked: (merchant) => `${merchant} voit où vous souhaitez recevoir cet argent.`,
    soon: () => 'Dès que c’est définitif, vous pourrez indiquer ici où le renvoyer.',
  },
  transaction: 'Transaction',
  yourMoney: 'votre argent',
  thatNetwork: 'ce réseau',
  transferState: {
    mempool: 'pas encore dans un bloc',
    missing: 'absente de la blockchain pour l’instant',
    gone: 'remplacée ou rejetée',
    included: (confirmations) => confirmationsOf(confirmations),
    final: 'définitive',
    notFinal: (state) => `${state}, pas encore définitive`,
  },
  depth: (have, need) => `${confirmationsOf(Math.min(have, need))} sur ${need}`,
  depthFinality: 'le réseau l’inscrit pour de bon',

  facts: {
    amount: 'Montant',
    title: 'Pour',
    to: 'À',
    paidTo: 'Payé à',
    asked: 'Demandé',
    received: 'Reçu',
    missing: 'Il manque',
    excess: 'En trop',
    rate: 'Cours',
    network: 'Réseau',
    address: 'Adresse',
    settledAt: 'Définitif le',
    endedAt: 'A pris fin le',
    endsAt: 'Prend fin le',
    payment: 'Référence',
  },

  refunds: {
    title: 'Remboursements',
    sentBack: (merchant, what) => `${merchant} vous a renvoyé ${what}.`,
    recordedBack: (merchant, what) => `${merchant} indique vous avoir renvoyé ${what}.`,
    states: {
      asked: 'pas encore envoyé',
      sent: 'envoyé, pas encore dans un bloc',
      seen: 'dans un bloc, pas encore définitif',
      final: 'définitif',
      recorded: 'selon la boutique',
      unfound: 'introuvable sur le réseau',
      undone: 'absent de la blockchain pour l’instant',
    },
  },

  refund: {
    title: 'Si l’argent vous est renvoyé',
    titleAfter: 'Adresse de remboursement indiquée ici',
    offer: (merchant) =>
      `${merchant} a besoin pour cela d’une adresse à vous. Vous pouvez en indiquer une ici.`,
    leave: 'Indiquer une adresse de remboursement',
    change: 'Modifier l’adresse de remboursement',
    asked: (when) => `Enregistrée le ${when}${NARROW}:`,
    unchecked: (merchant) =>
      `Personne ne l’a vérifiée. ${merchant} vous demandera peut-être confirmation avant tout envoi.`,
    earlier: 'Indiquées auparavant, et remplacées',
    network: 'Réseau',
    address: (network) => (network === null ? 'Votre adresse' : `Votre adresse sur ${network}`),
    addressHint: `Depuis une plateforme crypto${NARROW}? Prenez l’adresse à laquelle votre compte y reçoit de l’argent, non celle d’où il a été envoyé.`,
    note: 'Remarque, si vous le souhaitez (par exemple votre numéro de commande)',
    save: 'Enregistrer',
  },

  verify: {
    title: 'Vérifier cette adresse',
    text: (merchant, saltOf) =>
      `Personne n’en a la clé${NARROW}: elle ne peut verser qu’à la destination. Comparez la destination avec celle que ${merchant} a publiée. Dans un explorateur du réseau, addressOf(destination, salt) du contrat donne l’adresse ci-dessus${NARROW}; le sel est le keccak256 de «${NARROW}${saltOf}${NARROW}».`,
    contract: 'Contrat',
    destination: 'Destination',
    salt: 'Sel',
  },

  change: 'Autre moyen de paiement',
  cancel: 'Annuler',
  cancelYes: 'Annuler ce paiement',
  back: 'Retour',
  returnTo: (merchant) => `Retour à ${merchant}`,
  receipt: 'Quittance',
  details: 'Détails',
  print: 'Imprimer ou enregistrer la quittance',
  check: 'Vérifier l’arrivée du paiement',
  support: (merchant) => `Des questions${NARROW}? Contactez ${merchant}${NARROW}:`,

  script: {
    copied: 'Copié',
    left: (clock) => `Encore ${clock}`,
    urgent: 'Moins de deux minutes pour envoyer.',
  },
  unsent: {
    away: 'Le serveur est inaccessible, donc rien n’a été modifié. Réessayez quand la connexion sera rétablie.',
    unanswered: `Il n’y a pas eu de véritable réponse${NARROW}: cela a peut-être été fait, peut-être pas. Regardez ce que cette page indique avant de réessayer.`,
    often:
      'C’était trop souvent en peu de temps, donc cela n’a pas été fait. Attendez une minute, puis réessayez.',
  },
  offline: `Cette page ne peut pas être mise à jour pour l’instant. Votre paiement est en sécurité${NARROW}; elle reprendra d’elle-même quand le serveur répondra.`,
};

/** Zero is singular too. */
function confirmationsOf(n: number): string {
  return `${n} ${n < 2 ? 'confirmation' : 'confirmations'}`;
}
