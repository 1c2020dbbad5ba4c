import type { ClosedReason } from '../../intents/checkout.types.js';
import type { PageState } from '../page-states.types.js';
import type {
  Language,
  Message,
  MessageFacts,
  Notice,
  PageError,
  RefundFlaw,
  StateMessage,
} from './catalogue.types.js';

const closePage = 'There is nothing left for you to do. You may close this page.';
const doNotResend = 'Do not send it again.';

const states: Record<StateMessage, (f: MessageFacts) => Message> = {
  choose: () => ({
    title: 'Pay with',
    happened: '',
    next: '',
    todo: '',
  }),
  change: (f) => ({
    title: 'Pay with something else',
    happened: `Nothing has arrived yet of the ${f.due} that you picked.`,
    next: 'If you have already sent something, go back and wait for it.',
    todo: '',
  }),
  closed: (f) => ({
    title: 'No way to pay right now',
    happened: 'None of the ways to pay is available at this moment. You have not paid anything.',
    next: 'This page looks again all the time and offers a way to pay as soon as there is one.',
    todo: `Wait here, or ask ${f.merchant} for another way to pay.`,
  }),
  suspended: (f) => ({
    title: 'No payments at the moment',
    happened: `${f.merchant} cannot take payments here at the moment.`,
    next: 'Money that was already sent is still recorded when it arrives.',
    todo: `Do not send anything now. Ask ${f.merchant} what to do.`,
  }),
  waiting: (f) => ({
    title: 'Waiting for your payment',
    happened: `As soon as ${f.network} knows of it, this page says so by itself.`,
    next: '',
    todo: '',
  }),
  blind: (f) => ({
    title: `${f.network} cannot be seen right now`,
    happened: `Payments on ${f.network} cannot be seen at present, so none is asked for.`,
    next: `What you have already sent is not lost: it is found as soon as ${f.network} can be seen again. This payment ends at ${f.closesAt}.`,
    todo: 'Do not send now. Wait here, or pay in another way if one is offered.',
  }),
  'too-late': (f) => ({
    title: 'Too late to send safely',
    happened: `This payment ends at ${f.closesAt}, and ${f.network} may need longer than that.`,
    next: `A transfer sent now may arrive late. ${f.merchant} would then have to accept it by hand.`,
    todo: `Do not send now. If you have already sent it, wait here. Otherwise ask ${f.merchant} for a new payment.`,
  }),
  part: (f) => ({
    title: 'Part of it arrived',
    happened: `${f.receivedOf} arrived.`,
    next: `After ${f.sendBefore} ${f.merchant} decides about what has arrived.`,
    todo: `Send the missing ${f.missing} to the same address.`,
  }),
  'seen-mempool': (f) => ({
    title: 'Payment seen',
    happened: `Your ${f.received} is on its way. ${f.network} has seen it and not yet put it into a block.`,
    next: `It is confirmed when a block includes it, and settled ${f.settleTime} after it was seen.`,
    todo: closePage,
  }),
  seen: (f) => ({
    title: 'Payment seen',
    happened: `Your ${f.received} is on ${f.network}.`,
    next: `It is confirmed in a moment, and settled ${f.settleTime} after it was seen.`,
    todo: closePage,
  }),
  confirmed: (f) => ({
    title: 'Payment confirmed',
    happened: `Your ${f.received} is included in a block of ${f.network}.`,
    next: `It is settled when it can no longer be undone: ${f.depth}, ${f.settleTime} after it was seen.`,
    todo: closePage,
  }),
  withheld: (f) => ({
    title: 'Waiting for the network',
    happened: `Your payment was seen, but ${f.network} has taken it out of its latest blocks for now.`,
    next: 'This happens when a network puts its latest blocks in order. It is settled once the payment is back.',
    todo: `${doNotResend} If it is not back in an hour, ask ${f.merchant}.`,
  }),
  settled: (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}.`,
    next: '',
    todo: '',
  }),
  'settled-over': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked.`,
    next: `${f.merchant} sees it.`,
    todo: `If you want the ${f.excess} back, ask ${f.merchant} and name the payment below.`,
  }),
  'settled-over-offered': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked.`,
    next: `${f.merchant} sees it.`,
    todo: '',
  }),
  'settled-over-asked': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked.`,
    next: `${f.merchant} sees where you want it back.`,
    todo: `If the ${f.excess} does not come, ask ${f.merchant} and name the payment below.`,
  }),
  'settled-refunding': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked. ${f.merchant} has decided to send ${f.underWay} back to you.`,
    next: 'You see below how far it is. It is yours for good once it is final.',
    todo: `If it does not come, ask ${f.merchant} and name the payment below.`,
  }),
  'settled-part-refunded': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked. ${f.sentBack}`,
    next: 'Each refund is listed below, with how far it is.',
    todo: `If you have a question about the rest, ask ${f.merchant} and name the payment below.`,
  }),
  'settled-refunded': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has received your ${f.received}. That is ${f.excess} more than was asked. ${f.sentBack}`,
    next: 'What was sent is listed below.',
    todo: `If you do not find it in your wallet, ask ${f.merchant} and name the payment below.`,
  }),
  'settled-accepted': (f) => ({
    title: 'Paid',
    happened: `${f.merchant} has accepted your ${f.received} as full payment.`,
    next: 'Nothing more is due.',
    todo: '',
  }),
  'settled-undone': (f) => ({
    title: 'Paid, but not on the chain',
    happened: `This payment was settled, and then ${f.network} took what had paid for it out of its latest blocks.`,
    next: `It often comes back within minutes. ${f.merchant} has been told, and the payment stays settled.`,
    todo: `${doNotResend} Look into your wallet, and ask ${f.merchant} if the money is still there.`,
  }),
  arriving: (f) => ({
    title: 'Money is on its way',
    happened: `We see ${f.coming} for this payment, which has ended. The network can still undo it.`,
    next: `As soon as it is final this page says so, and ${f.merchant} is told and can decide about it.`,
    todo: `${doNotResend} If you have a question, ask ${f.merchant} and name the payment below.`,
  }),
  expired: (f) => ({
    title: 'The time to pay has ended',
    happened: `Nothing had arrived by ${f.closesAt}.`,
    next: 'This payment can no longer be made. Money that you have already sent still shows here when it arrives.',
    todo: `Do not send anything now. If you still want to pay, start again at ${f.merchant}.`,
  }),
  'expired-paid': (f) => ({
    title: 'Your money arrived, but not all of it',
    happened: `${f.receivedOf} arrived. The time to pay ended at ${f.closesAt}, and ${f.missing} was missing.`,
    next: `${f.merchant} has been told, and can accept it or send it back to you.`,
    todo: `Do not send more. If you have a question, ask ${f.merchant} and name the payment below.`,
  }),
  'expired-late': (f) => ({
    title: 'Your money arrived, but too late',
    happened: `${f.received} arrived, but this payment ended at ${f.closesAt}.`,
    next: `${f.merchant} has been told, and can accept it or send it back to you.`,
    todo: `${doNotResend} If you have a question, ask ${f.merchant} and name the payment below.`,
  }),
  'expired-other': (f) => ({
    title: 'Money arrived, but not as asked',
    happened: `${f.other} arrived, which is not what this payment asked for. The time to pay ended at ${f.closesAt}.`,
    next: `${f.merchant} has been told, and can send it back to you.`,
    todo: `Do not send more. If you have a question, ask ${f.merchant} and name the payment below.`,
  }),
  failed: (f) => ({
    title: 'The payment failed',
    happened: `Your payment was seen on ${f.network}, but then replaced or dropped before it was final.`,
    next: `${f.merchant} has not been paid, and this payment can no longer be made.`,
    todo: `Look into your wallet. If the money is still there, start again at ${f.merchant}. If it has left, ask ${f.merchant}.`,
  }),
  cancelled: (f) => ({
    title: 'Cancelled',
    happened: 'This payment was cancelled, and nothing has arrived.',
    next: 'Nothing is due any more.',
    todo: `Do not send anything now. If you still want to pay, start again at ${f.merchant}.`,
  }),
  'cancelled-paid': (f) => ({
    title: 'Cancelled, but money arrived',
    happened: `This payment was cancelled, and ${f.arrived} arrived all the same.`,
    next: `${f.merchant} has been told, and can send it back to you.`,
    todo: `Do not send more. If you have a question, ask ${f.merchant} and name the payment below.`,
  }),
  refunding: (f) => ({
    title: 'To be sent back to you',
    happened: `${f.merchant} has decided to send ${f.underWay} back to you.`,
    next: 'You see below how far it is. It is yours for good once it is final.',
    todo: `If it does not come, ask ${f.merchant} and name the payment below.`,
  }),
  'part-refunded': (f) => ({
    title: 'Partly sent back',
    happened: f.sentBack,
    next: 'Each refund is listed below, with how far it is.',
    todo: `If you have a question about the rest, ask ${f.merchant} and name the payment below.`,
  }),
  refunded: (f) => ({
    title: 'Sent back to you',
    happened: f.sentBack,
    next: 'What was sent is listed below.',
    todo: `If you do not find it in your wallet, ask ${f.merchant} and name the payment below.`,
  }),
  dismissed: (f) => ({
    title: 'Not taken as payment',
    happened: `${f.merchant} has looked at what arrived (${f.arrived}), and has not taken it as payment.`,
    next: 'Nothing more happens here by itself.',
    todo: `Ask ${f.merchant} what becomes of your money, and name the payment below.`,
  }),
  refund: (f) => ({
    title: 'Where should a refund go?',
    happened: `${f.merchant} decides whether it sends the money back.`,
    next: `${f.merchant} sees what you leave here. Anyone with the link to this page could leave it, so you may be asked first.`,
    todo: 'Give an address that takes the same money on the same network.',
  }),
  'confirm-cancel': (f) => ({
    title: 'Cancel this payment?',
    happened: 'Nothing has been paid yet.',
    next: 'If you cancel, this payment can no longer be made.',
    todo: `If you have already sent something, do not cancel: go back and wait for it, or ask ${f.merchant}.`,
  }),
};

/** One sentence for the live region when the page changes by itself. */
const announcements: Record<PageState, (f: MessageFacts) => string> = {
  choose: () => 'Pick what you pay with.',
  closed: () => 'No way to pay is available right now.',
  suspended: (f) => `${f.merchant} cannot take payments at the moment.`,
  waiting: (f) => `Waiting for ${f.due} on ${f.network}.`,
  blind: (f) => `Payments on ${f.network} cannot be seen right now. Do not send now.`,
  'too-late': () => 'It is too late to send safely. Do not send now.',
  part: (f) => `${f.received} arrived, ${f.missing} is missing.`,
  seen: () => 'Your payment was seen. You do not have to do anything.',
  confirmed: (f) => `Your payment is confirmed: ${f.depth}.`,
  settled: (f) => `Paid. ${f.merchant} has received your payment.`,
  expired: () => 'The time to pay has ended. Do not send anything now.',
  arriving: () => 'Money is on its way, but it is not final yet.',
  'expired-paid': (f) => `The time to pay has ended. ${f.merchant} decides about the money that arrived.`,
  failed: () => 'The payment failed.',
  cancelled: () => 'The payment was cancelled. Do not send anything now.',
  'cancelled-paid': (f) => `The payment was cancelled, but ${f.arrived} arrived.`,
};

const notices: Record<Notice, string> = {
  'option-closed': 'That way to pay has just closed, so nothing was picked. Pick another one.',
  'too-late': 'The time to pay had ended, so nothing was changed.',
  'cannot-switch': 'Money has been seen, so what you pay with can no longer be changed.',
  'cannot-cancel': 'Money has been seen, so this payment can no longer be cancelled.',
  'refund-stored': 'Your refund address is saved.',
  'refund-decided': 'Nothing can be asked back here at the moment, so nothing was saved.',
  'refund-too-often': 'The address was changed too often, so nothing was saved. Use the contact below.',
};

const refundFlaws: Record<RefundFlaw, (network: string) => string> = {
  'address-wrong': (network) =>
    `This is no address on ${network}, or a character is wrong. Copy the whole of it again.`,
  'address-ours': () => 'This is an address that belongs to the payment itself. Give one of your own.',
  'note-too-long': () => 'The note is too long. 500 characters are kept.',
};

const closedReasons: Record<ClosedReason, string> = {
  no_rate: 'No current price',
  network_unavailable: 'Network cannot be reached',
  wallet_unsearched: 'Not ready yet',
  below_minimum: 'Amount too small for this',
};

/** The pages that are about no payment. */
const errors: Record<PageError, Message> = {
  notFound: {
    title: 'This payment does not exist',
    happened: 'There is no payment at this address.',
    next: 'Nothing can be paid here.',
    todo: 'Check that the link is complete, or start again at the shop that sent you here.',
  },
  error: {
    title: 'Something went wrong on our side',
    happened: 'This page could not be shown.',
    next: 'Your payment is safe: whatever you have sent is recorded, and is shown when the page is back.',
    todo: 'Do not send again. Load this page again in a minute.',
  },
  refused: {
    title: 'This did not work',
    happened: 'The server did not accept the request.',
    next: 'Nothing was changed.',
    todo: 'Go back to the payment and try again.',
  },
  tooMany: {
    title: 'Too many requests',
    happened: 'This page was asked for too often in a short time.',
    next: 'Your payment is safe, and nothing was changed.',
    todo: 'Wait a minute and load this page again.',
  },
};

const stateNames: Record<PageState, string> = {
  choose: 'Choose',
  closed: 'Not available',
  suspended: 'Not available',
  waiting: 'Waiting',
  blind: 'Not available',
  'too-late': 'Too late',
  part: 'Part received',
  seen: 'Seen',
  confirmed: 'Confirmed',
  settled: 'Paid',
  expired: 'Expired',
  arriving: 'On its way',
  'expired-paid': 'Expired',
  failed: 'Failed',
  cancelled: 'Cancelled',
  'cancelled-paid': 'Cancelled',
};

/** The others have the same shape: a text that is missing there, or one too many, does not compile. */
export type Catalogue = typeof en;

export const en = {
  language: 'en' as Language,
  /** In itself: who looks for it need not read any other. */
  name: 'English',
  /** Of the page and its dates: BCP 47, with the region whose spelling the texts have. */
  locale: 'en-GB',
  /** Of amounts, and of dates where the browser does not know `locale`. It has to write a point before the cents. */
  notation: 'en-GB',
  languageChoice: 'Language',

  states,
  announcements,
  notices,
  refundFlaws,
  closedReasons,
  errors,
  sandbox: 'Sandbox: no real money',
  testPayment: 'Test payment',
  documentTitle: (amount: string, state: string, merchant: string) => `${amount} · ${state} · ${merchant}`,
  stateNames,

  and: (first: string, next: string) => `${first} and ${next}`,
  on: (network: string) => `on ${network}`,
  payBefore: 'Before',
  sendExactly: 'Send exactly',
  sendMissing: 'Send the missing',
  onlyOn: 'only on',
  neverElsewhere: (asset: string) => `Never another network, never another coin than ${asset}.`,
  to: 'to',
  copyAmount: (amount: string) => `Copy the amount ${amount}`,
  copyAddress: 'Copy the address',
  qr: 'QR code',
  showCode: 'Show the QR code',
  qrWithAmount: 'Show the code with the amount',
  qrAddressOnly: 'Wallet cannot read it? Show the address alone',
  qrHintAddress: 'Type the amount in your wallet.',
  qrAlt: (amount: string, network: string) => `QR code: address on ${network}, and ${amount}`,
  qrAltAddress: (network: string) => `QR code: address on ${network}`,
  /** Wallets on the same phone. */
  apps: {
    choose: 'Open in my wallet',
    openIn: (wallet: string) => `Open in ${wallet}`,
    other: 'Another wallet',
    opensPage: 'These open this page in their own browser:',
    nothingOpened:
      'Did nothing open? Choose another wallet, copy the amount and the address above into yours, or scan the code with another device.',
  },
  /** Wallets in the browser. The script says these. */
  browserWallet: {
    payWith: (wallet: string) => `Pay with ${wallet}`,
    /** In its place, of a wallet that does not say its name. */
    nameless: 'your wallet',
    first: (amount: string, network: string) =>
      `Your wallet asks before it sends. Confirm only ${amount} on ${network}.`,
    connects: 'Allow this page to see your account, in your wallet.',
    asks: (amount: string, network: string) =>
      `Your wallet asks you now. Confirm only ${amount} on ${network}. Is no window open? Open your wallet by its icon.`,
    refused: 'You refused in your wallet. Nothing was sent.',
    pending: 'Your wallet has a question open already. Open it by its icon, and answer there.',
    unknownNetwork:
      'Your wallet does not know this network. Add it there first, or use the code. Nothing was sent.',
    wrongNetwork: 'Your wallet stayed on another network. Nothing was sent.',
    noFunds: (amount: string, network: string) =>
      `This account has less than ${amount} on ${network}, or too little for the network’s fee. Nothing was sent.`,
    changed: 'This payment has changed meanwhile. Nothing was sent: look at it again.',
    failed: 'Your wallet did not send it, and says:',
    sent: (network: string) =>
      `Sent. As soon as ${network} knows of it, this page says so by itself. You have nothing more to do.`,
    undone:
      'The network refused the transaction, and nothing arrived. Look into your wallet, then try again.',
    again: 'It did not leave my wallet: try again',
  },
  /** What a wallet in the browser will be asked, for who compares it with what the wallet says. */
  exactCall: {
    title: 'What your wallet will be asked',
    amount: 'Amount',
    network: 'Network',
    to: 'To',
    contract: 'Contract',
    method: 'Method',
  },
  copyReference: 'Copy the payment’s id',

  exchange: {
    title: 'Paying from an exchange?',
    choose: (asset: string, network: string) =>
      `Withdraw ${asset}, and choose ${network} as the network. If your exchange does not offer it, pick another way to pay.`,
    arrive: (amount: string) =>
      `Exactly ${amount} must arrive. If your exchange takes its fee from what you type, type that much more. If it takes fewer decimals, round up.`,
    batches: (before: string) =>
      `Some exchanges send only every half hour. What arrives after ${before} is not lost, but the shop has to accept it by hand.`,
    feeLabel: (asset: string) => `Fee of your exchange, in ${asset}`,
    sum: (amount: string) => `Withdraw ${amount}.`,
    unread: 'Type a number, such as 1.5, or a part, such as 1 %.',
  },
  sent: {
    title: 'I have sent it',
    text: (network: string, settleTime: string) =>
      `Good. You have nothing more to do: as soon as ${network} knows of your payment, this page says so by itself. It is settled ${settleTime} after that. You may close this page; the payment counts all the same.`,
  },

  networkFee: (amount: string) => `fee about ${amount}`,
  about: {
    lessThanAMinute: 'less than a minute',
    aMinute: 'about a minute',
    minutes: (n: number) => `about ${n} minutes`,
    hours: (n: number) => `about ${n} hours`,
  },

  progress: 'Progress',
  steps: { waiting: 'Waiting', seen: 'Seen', confirmed: 'Confirmed', settled: 'Settled' },
  stepDone: 'done',
  /** Beside what was received. */
  tooMuch: (excess: string) => `That is ${excess} more than was asked.`,
  receivedOf: (received: string, due: string) => `${received} of ${due}`,

  transfers: 'Transfers',
  moreTransfers: (count: number) => `and ${count} more`,
  found: (amount: string) => `We found ${amount}`,
  foundSeveral: 'We found other transfers',
  /** Of money that nobody asked for: whom to ask, or that its way back can be said, was, or will be. */
  other: {
    not: 'It does not count towards this payment.',
    /** What follows that. */
    ask: (merchant: string) => `Ask ${merchant} to have it back.`,
    leave: (merchant: string) => `${merchant} can send it back to an address that you leave.`,
    asked: (merchant: string) => `${merchant} sees where you want it back.`,
    soon: (_merchant: string) => 'As soon as it is final, you can say here where it should go.',
  },
  transaction: 'Transaction',
  yourMoney: 'your money',
  thatNetwork: 'that network',
  transferState: {
    mempool: 'not yet in a block',
    missing: 'left the chain for now',
    gone: 'replaced or dropped',
    included: (confirmations: number) =>
      confirmations === 1 ? '1 confirmation' : `${confirmations} confirmations`,
    final: 'final',
    notFinal: (state: string) => `${state}, not final yet`,
  },
  depth: (have: number, need: number) => `${Math.min(have, need)} of ${need} confirmations`,
  depthFinality: 'the network makes it final',

  facts: {
    amount: 'Amount',
    title: 'For',
    to: 'To',
    paidTo: 'Paid to',
    asked: 'Asked',
    received: 'Received',
    missing: 'Missing',
    excess: 'Too much',
    rate: 'Rate',
    network: 'Network',
    address: 'Address',
    settledAt: 'Settled',
    endedAt: 'Ended',
    endsAt: 'Ends',
    payment: 'Payment',
  },

  refunds: {
    title: 'Refunds',
    sentBack: (merchant: string, what: string) => `${merchant} has sent ${what} back to you.`,
    recordedBack: (merchant: string, what: string) =>
      `${merchant} has recorded that it sent ${what} back to you.`,
    states: {
      asked: 'not sent yet',
      sent: 'sent, in no block yet',
      seen: 'in a block, not final yet',
      final: 'final',
      recorded: 'as the shop has recorded it',
      unfound: 'not found on the network',
      undone: 'left the chain for now',
    },
  },

  refund: {
    title: 'If it is sent back',
    /** Once all of it is. */
    titleAfter: 'The refund address left here',
    offer: (merchant: string) => `${merchant} needs an address of yours for that. You may leave one here.`,
    leave: 'Leave a refund address',
    change: 'Change the refund address',
    asked: (when: string) => `Saved on ${when}:`,
    unchecked: (merchant: string) =>
      `Nobody has checked it. ${merchant} may ask you before it sends anything.`,
    earlier: 'Left before, and replaced',
    network: 'Network',
    address: (network: string | null) => (network === null ? 'Your address' : `Your address on ${network}`),
    addressHint:
      'From an exchange? Take the address at which your account there receives, not the one it sent from.',
    note: 'Note, if you like (such as your order number)',
    save: 'Save',
  },

  verify: {
    title: 'Check this address',
    text: (merchant: string, saltOf: string) =>
      `Nobody has a key for it: it can pay out to the destination alone. Compare the destination with what ${merchant} has published. In a block explorer of the network, addressOf(destination, salt) of the contract tells you the address above; the salt is the keccak256 of “${saltOf}”.`,
    contract: 'Contract',
    destination: 'Destination',
    salt: 'Salt',
  },

  change: 'Other way to pay',
  cancel: 'Cancel',
  cancelYes: 'Cancel this payment',
  back: 'Go back',
  returnTo: (merchant: string) => `Back to ${merchant}`,
  receipt: 'Receipt',
  details: 'Details',
  print: 'Print or save the receipt',
  check: 'Check for payment',
  support: (merchant: string) => `Questions? Contact ${merchant}:`,

  /** For the script, which has no words of its own. */
  script: {
    copied: 'Copied',
    left: (clock: string) => `${clock} left`,
    urgent: 'Less than two minutes left to send.',
  },
  /** What a tap came to, where it did not come to a page. */
  unsent: {
    away: 'We cannot reach the server, so nothing was changed. Try again when the connection is back.',
    unanswered:
      'There was no proper answer, so it may have been done or not. Look at what this page shows before you try again.',
    often: 'That was too often in a short time, so it was not done. Wait a minute, then try again.',
  },
  offline:
    'This page cannot be brought up to date right now. Your payment is safe; the page goes on by itself when the server answers again.',

  loadAgain: 'Load this page again',
  errorTraceId: 'If it stays like this, quote this number:',
};
