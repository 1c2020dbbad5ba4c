import { isTerminal } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { panelPath, payPath } from '../../intents/checkout-paths.pure.js';
import type { Message, MessageFacts, Notice, StateMessage } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { announcementOf } from '../domain/announcement.js';
import { mayAskBack } from '../domain/asking-back.js';
import { dayTimeText, fiatText, safeHref } from '../domain/formats.js';
import { messageFacts } from '../domain/message-facts.js';
import { pageMessage } from '../domain/page-message.js';
import { hasMoney, isInQuestion, livenessOf, pageState } from '../domain/page-state.js';
import { pageVersion } from '../domain/page-version.js';
import { stateMessage, type Step as Question } from '../domain/state-message.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import { faceModel } from './face.view.js';
import { languagesModel } from './languages.view.js';
import type { AssetUrls, FoundModel, MessageModel, PayPage, RecordModel, SupportModel } from './pay.types.js';
import { actionLinks } from './pay-actions.view.js';
import { factRows, transferRows } from './pay-facts.view.js';
import {
  foundModel,
  refundForm,
  refundsModel,
  refundTransferRow,
  type RefusedWish,
} from './pay-refund.view.js';
import { optionGroups, sendModel } from './pay-send.view.js';
import { statusModel } from './pay-status.view.js';
import { stepRows } from './pay-steps.view.js';
import { verifyModel } from './pay-verify.view.js';
import { textParts } from './text-parts.js';
import { unsentModel } from './unsent.view.js';

export interface PayViewOptions {
  readonly catalogue: Catalogue;
  readonly sandbox: boolean;
  /** `?cancel=1`: asks before it cancels. Ignored where nothing may be cancelled. */
  readonly confirmCancel: boolean;
  /** `?change=1`: offers the other assets. Ignored where nothing may be switched. */
  readonly change?: boolean;
  readonly notice?: Notice | null;
  /** `?refund=1`: asks where a refund should go. Ignored where nothing is decided any more. */
  readonly refund?: boolean;
  readonly refusedWish?: RefusedWish | null;
  /** `?open=exchange`: what is unfolded. Without a script the page loads itself again, and it has to stay so. */
  readonly open?: string | null;
  readonly assets: AssetUrls;
  /** Where buyers reach the checkout: for apps that open a page by its whole address. */
  readonly checkoutUrl: string;
}

type Look = Pick<(typeof PAGE_STATES)[PageState], 'mark' | 'tone'>;

/** Words that a state has sometimes, and that look unlike the rest of it. */
const SPECIAL_LOOKS: Partial<Record<StateMessage, Look>> = {
  withheld: { mark: 'warn', tone: 'warn' },
  'settled-undone': { mark: 'warn', tone: 'warn' },
  refunding: { mark: 'seen', tone: 'plain' },
  'part-refunded': { mark: 'part', tone: 'plain' },
  refunded: { mark: 'done', tone: 'plain' },
  dismissed: { mark: 'stop', tone: 'plain' },
};
/** How the address of a page asks for a step. */
const STEP_QUERIES: Record<Question, string> = { cancel: 'cancel=1', change: 'change=1', refund: 'refund=1' };
const PLAIN: Look = { mark: 'none', tone: 'plain' };

/** What all parts of a page come from. */
interface Basis {
  readonly intent: CheckoutIntent;
  readonly state: PageState;
  readonly options: PayViewOptions;
  readonly catalogue: Catalogue;
  /** What its words name. */
  readonly facts: MessageFacts;
  readonly merchant: string;
  readonly path: string;
}

/** Pure: the page of an intent, as strings and booleans. */
export function payView(intent: CheckoutIntent, options: PayViewOptions): PayPage {
  const { catalogue } = options;
  const state = pageState(intent);
  const question = questionOf(intent, state, options);
  const facts = messageFacts(intent, catalogue);
  const { merchant } = facts;
  const basis: Basis = { intent, state, options, catalogue, facts, merchant, path: payPath(intent.id) };
  const total = fiatText(intent.amountMinor, intent.currency, catalogue);
  return {
    ...frame(basis, question, total),
    ...upkeep(basis, question),
    money: PAGE_STATES[state].money ?? '',
    merchant,
    title: intent.title === null ? null : visibleText(intent.title),
    total,
    totalIsLong: total.length > 12,
    countdown: countdownOf(intent, state, catalogue),
    notice:
      options.notice && fits(options.notice, intent, state) ? noticeOf(options.notice, catalogue) : null,
    ...(question === null ? account(basis) : asking(basis, question)),
    actions: actionLinks(intent, state, question, catalogue),
    support: supportOf(intent, merchant, catalogue),
    progressLabel: catalogue.progress,
    transfersTitle: catalogue.transfers,
    refundsTitle: catalogue.refunds.title,
  };
}

/** Around the page, whatever it says. */
function frame(
  { intent, state, options, catalogue, merchant, path }: Basis,
  question: Question | null,
  total: string,
) {
  return {
    locale: catalogue.locale,
    languages: languagesModel(path, question === null ? null : STEP_QUERIES[question], catalogue),
    documentTitle: catalogue.documentTitle(total, catalogue.stateNames[state], merchant),
    sandboxText: options.sandbox ? catalogue.sandbox : null,
    sandboxLink: options.sandbox ? { href: panelPath(intent.id), label: catalogue.testPayment } : null,
    offlineText: catalogue.offline,
    unsent: unsentModel(catalogue),
    assets: options.assets,
    face: faceModel(intent.merchant.face, merchant),
  } satisfies Partial<PayPage>;
}

/** By which the page notices that something has changed, with a script or without. */
function upkeep({ intent, state, catalogue, facts }: Basis, question: Question | null) {
  const live = livenessOf(intent, state);
  return {
    refreshS: question !== null || live === 'off' ? null : live === 'fast' ? '15' : '60',
    state,
    id: intent.id,
    version: pageVersion(intent),
    live,
    notation: catalogue.notation,
    now: intent.now.toISOString(),
    message: announcementOf(intent, state, catalogue, facts),
    statusUrl: payPath(intent.id, 'status'),
    eventsUrl: payPath(intent.id, 'events'),
    copiedText: catalogue.script.copied,
    leftText: catalogue.script.left('{}'),
    urgentText: catalogue.script.urgent,
  } satisfies Partial<PayPage>;
}

/** How the payment stands, and what can be done. */
function account({ intent, state, options, catalogue, facts, merchant, path }: Basis) {
  const { quote } = intent;
  const traits = PAGE_STATES[state];
  const words = pageMessage(intent, state, null, catalogue, facts);
  const room = roomOf(intent, state);
  const isOver = room === 'over';
  const asks = traits.asksToSend === true;
  const found = foundModel(intent, merchant, catalogue);
  /** The page's own words name it. */
  const foundIsSaid = asks || traits.isOfStrays === true;
  return {
    said: {
      ...words,
      ...(isOver ? { todo: '' } : {}),
      ...lookOf(SPECIAL_LOOKS[stateMessage(intent, state, null)] ?? traits),
      // In its place stands the status.
      parts: asks ? [] : saidParts(isOver ? { ...words, next: '' } : words, intent, catalogue),
    },
    status: asks ? statusModel(intent, state, words, found, catalogue) : null,
    saidText: isMore(words),
    room,
    later: isOver ? { next: words.next, todo: words.todo } : null,
    options: traits.ways === 'shown' ? optionGroups(intent, catalogue) : null,
    send: quote && asks ? sendModel(quote, catalogue, options.checkoutUrl + path, options.open) : null,
    confirm: null,
    steps: traits.isUnderWay ? stepRows(intent, state, catalogue) : null,
    found: foundIsSaid ? null : found,
    sentBack: (intent.refunds?.refunds ?? []).map((refund) => refundTransferRow(refund, catalogue)),
    refunds: refundsModel(intent, merchant, catalogue),
    refundForm: null,
    record: recordOf(intent, state, foundIsSaid ? found : null, options),
    reference: isInQuestion(intent, state)
      ? { label: catalogue.facts.payment, id: intent.id, copy: catalogue.copyReference }
      : null,
  } satisfies Partial<PayPage>;
}

/** The step that the buyer asked for, and nothing beside it. */
function asking({ intent, state, options, catalogue, facts, path }: Basis, question: Question) {
  const words = pageMessage(intent, state, question, catalogue, facts);
  return {
    said: { ...words, ...lookOf(PLAIN), parts: saidParts(words, intent, catalogue) },
    status: null,
    saidText: isMore(words),
    room: '',
    later: null,
    options: question === 'change' ? optionGroups(intent, catalogue) : null,
    send: null,
    confirm:
      question === 'cancel'
        ? {
            action: payPath(intent.id, 'cancel'),
            yes: catalogue.cancelYes,
            back: catalogue.back,
            backHref: path,
          }
        : null,
    steps: null,
    found: null,
    sentBack: [],
    refunds: null,
    refundForm: question === 'refund' ? refundForm(intent, options.refusedWish ?? null, catalogue) : null,
    record: null,
    reference: null,
  } satisfies Partial<PayPage>;
}

const lookOf = ({ mark, tone }: Look) => ({ markIcon: `icons/mark-${mark}`, tone });

/** Whether there is more to say than the title. */
const isMore = ({ happened, todo }: Message) => happened !== '' || todo !== '';

/** What the words may become while somebody looks at them: so much room is kept, or the button below them would move. */
function roomOf(intent: CheckoutIntent, state: PageState): PayPage['room'] {
  if (PAGE_STATES[state].isUnderWay) return 'way';
  if (state === 'expired-paid' || state === 'cancelled-paid') return 'back';
  const isOver = state === 'settled' && intent.quote?.complete && intent.quote.excess !== null;
  return isOver && !intent.settlementUndone ? 'over' : '';
}

function saidParts(
  { happened, next }: Message,
  { expiresAt, quote }: CheckoutIntent,
  catalogue: Catalogue,
): MessageModel['parts'] {
  return textParts(`${happened} ${next}`.trim(), [expiresAt, quote?.sendBefore ?? null], catalogue);
}

/** @param others transfers that were not asked for, unless a box above names them */
function recordOf(
  intent: CheckoutIntent,
  state: PageState,
  others: FoundModel | null,
  { catalogue, open }: PayViewOptions,
): RecordModel {
  const isReceipt = state === 'settled';
  const came = [...(intent.quote?.transfers ?? []), ...intent.dropped];
  return {
    title: isReceipt ? catalogue.receipt : catalogue.details,
    isOpen: open === 'record',
    facts: factRows(intent, state, catalogue),
    transfers: came.length > 0 ? transferRows(came, isTerminal(intent.status), catalogue) : null,
    others: others && { title: others.title, transfers: others.transfers },
    verify: verifyModel(intent, catalogue),
    print: isReceipt ? catalogue.print : null,
  };
}

function noticeOf(notice: Notice, catalogue: Catalogue): PayPage['notice'] {
  const done = notice === 'refund-stored';
  return {
    text: catalogue.notices[notice],
    markIcon: `icons/mark-${done ? 'done' : 'warn'}`,
    tone: done ? 'good' : 'warn',
  };
}

/**
 * Whether a notice is true of the page on which it arrives: an old page's form can meet any state, which then says
 * itself why nothing was changed.
 */
function fits(notice: Notice, intent: CheckoutIntent, state: PageState): boolean {
  switch (notice) {
    case 'option-closed':
      return intent.options.some((option) => option.closed === null);
    case 'too-late':
      return state === 'expired' || state === 'expired-paid';
    case 'cannot-switch':
    case 'cannot-cancel':
      return hasMoney(intent);
    case 'refund-stored':
      return (intent.refunds?.requests ?? []).length > 0;
    case 'refund-too-often':
      return mayAskBack(intent);
    case 'refund-decided':
      return !mayAskBack(intent);
  }
}

function questionOf(intent: CheckoutIntent, state: PageState, options: PayViewOptions): Question | null {
  if (options.confirmCancel && intent.mayCancel) return 'cancel';
  if (options.refund && mayAskBack(intent)) return 'refund';
  if (options.change && intent.maySwitch && asksForWays(state)) return 'change';
  return null;
}

function asksForWays(state: PageState): boolean {
  const { ways } = PAGE_STATES[state];
  return ways === 'linked' || ways === 'asked';
}

function countdownOf(intent: CheckoutIntent, state: PageState, catalogue: Catalogue): PayPage['countdown'] {
  const until =
    state === 'choose'
      ? intent.expiresAt
      : PAGE_STATES[state].asksToSend
        ? intent.quote?.sendBefore
        : undefined;
  return until
    ? { until: until.toISOString(), before: catalogue.payBefore, at: dayTimeText(until, catalogue) }
    : null;
}

/** On every page: hardly a page about money sent for good is one that could worry nobody. */
function supportOf(intent: CheckoutIntent, merchant: string, catalogue: Catalogue): SupportModel | null {
  const contact = intent.merchant.supportContact;
  if (contact === null || contact.trim() === '') return null;
  return { lead: catalogue.support(merchant), text: visibleText(contact), href: safeHref(contact.trim()) };
}
