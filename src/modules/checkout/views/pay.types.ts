import type { QrDrawing } from '../../../platform/pages/qr.js';
import type { Message } from '../catalogue/catalogue.types.js';
import type { PageState, Tone } from '../page-states.types.js';
import type { FaceModel } from './face.view.js';

/** Addresses of the three files that every page needs. */
export interface AssetUrls {
  readonly css: string;
  readonly js: string;
  readonly favicon: string;
}

/** A piece of a sentence; a moment with its instant (ISO 8601), which the script tells in the reader's own zone. */
export interface TextPart {
  readonly text: string;
  readonly iso: string | null;
  /** Whether the day is left out. */
  readonly clock: boolean;
}

/** The languages that the page can be read in; where there is no page to come back to, none is offered. */
export interface LanguagesModel {
  readonly label: string;
  readonly choices: readonly LanguageLink[];
}

export interface LanguageLink {
  readonly name: string;
  readonly locale: string;
  /** `null` for the one that the page has. */
  readonly href: string | null;
}

/** What the layout needs, whatever the page. */
export interface LayoutModel {
  readonly locale: string;
  readonly languages: LanguagesModel | null;
  readonly documentTitle: string;
  readonly sandboxText: string | null;
  /** To the sandbox's own page about this payment; `null` in production, and where the page is about none. */
  readonly sandboxLink: { readonly href: string; readonly label: string } | null;
  readonly offlineText: string;
  /** What a tap came to, where it did not come to a page. */
  readonly unsent: {
    /** Nothing left the device. */
    readonly away: string;
    /** It may have been done or not. */
    readonly unanswered: string;
    /** 429. */
    readonly often: string;
    readonly refused: string;
    /** Our fault, and nothing was to be changed by it. */
    readonly broken: string;
  };
  readonly assets: AssetUrls;
  readonly face: FaceModel;
  /** Without a script the page loads itself again; `null` where nothing can change or the buyer is deciding. */
  readonly refreshS: string | null;
}

export interface MessageModel extends Message {
  /** What happened and what comes next, with the moments in it. */
  readonly parts: readonly TextPart[];
  readonly markIcon: string;
  readonly tone: Tone;
}

/** The head of a page that asks to send. It keeps its height, so that nothing below it moves when something arrives. */
export interface StatusModel {
  readonly title: string;
  readonly markIcon: string;
  readonly tone: Tone;
  readonly text: string;
  readonly todo: string;
  /** To the form for a refund address, where something arrived that was not asked for. */
  readonly link: RefundsModel['link'];
  readonly next: readonly TextPart[] | null;
  /** Where there is no room for that, it stands at the end of the page. */
  readonly later: readonly TextPart[] | null;
}

export interface OptionRow {
  readonly id: string;
  readonly action: string;
  readonly asset: string;
  readonly network: string;
  /** The asset; the network below an asset that has several. */
  readonly label: string;
  readonly beside: string | null;
  readonly icon: string | null;
  readonly amount: string | null;
  /** "about 3 minutes" until it is settled, where somebody might mind. */
  readonly wait: string | null;
  /** About what the network takes for sending. */
  readonly fee: string | null;
  readonly reason: string | null;
}

/** The ways to pay with one asset. */
export interface OptionGroup {
  readonly asset: string;
  readonly assetIcon: string;
  /** Whether there are several, below the asset's name. */
  readonly together: boolean;
  readonly rows: readonly OptionRow[];
}

export interface QrModel extends QrDrawing {
  readonly alt: string;
  readonly hint: string | null;
}

export interface SendModel {
  readonly heading: string;
  readonly asset: string;
  readonly amount: string;
  /** The amount in pieces, whole digits by threes; nothing stands between them but space. */
  readonly amountGroups: readonly string[];
  readonly copyAmount: string;
  readonly onlyOn: string;
  readonly networkIcon: string;
  readonly network: string;
  readonly never: string;
  readonly to: string;
  readonly address: string;
  readonly addressPrefix: string;
  readonly addressGroups: readonly string[];
  readonly copyAddress: string;
  readonly browserWallets: BrowserWalletsModel | null;
  readonly apps: AppsModel | null;
  readonly showCode: string;
  /** On a phone; at a desk it always is. */
  readonly codeIsOpen: boolean;
  /** The one without the amount. */
  readonly addressCodeIsOpen: boolean;
  readonly qrLabel: string;
  readonly withAmountLabel: string;
  readonly addressOnlyLabel: string;
  readonly withAmount: QrModel;
  readonly addressOnly: QrModel;
  readonly exchange: ExchangeGuide;
  readonly sent: { readonly title: string; readonly isOpen: boolean; readonly text: string };
}

/** For wallets that an extension puts into the browser. */
export interface BrowserWalletsModel {
  readonly call: {
    readonly chainId: string;
    readonly to: string;
    readonly data: string;
    readonly value: string;
  };
  /** The same for a person to read, before anything is sent. */
  readonly shown: {
    readonly title: string;
    /** In one line. */
    readonly short: string;
    readonly facts: readonly FactRow[];
  };
  /** What the script says, as JSON. */
  readonly messages: string;
  readonly first: string;
  readonly again: string;
}

export interface AppLink {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  readonly inNewTab: boolean;
}

/** For wallets on the same phone. */
export interface AppsModel {
  readonly choose: string;
  readonly isOpen: boolean;
  /** "Open in {}": the one that was used last. */
  readonly openIn: string;
  /** Those that open the payment. */
  readonly paying: readonly AppLink[];
  /** What those do that open this page in their own browser. */
  readonly opensPage: string;
  readonly opening: readonly AppLink[];
  /** The bare link, for whatever else is there. */
  readonly other: AppLink;
  readonly nothingOpened: string;
}

/** For who withdraws from an exchange. */
export interface ExchangeGuide {
  readonly title: string;
  readonly isOpen: boolean;
  readonly steps: readonly (readonly TextPart[])[];
  readonly feeLabel: string;
  /** "{}" stands for the sum. */
  readonly sum: string;
  /** Where what was typed is no number. */
  readonly unread: string;
}

export interface Step {
  readonly label: string;
  readonly markIcon: string;
  readonly current: boolean;
  readonly reached: boolean;
  readonly doneText: string;
}

export interface TransferRow {
  readonly amount: string;
  readonly onNetwork: string;
  readonly state: string;
  /** Since when, where that is said. */
  readonly when: readonly TextPart[] | null;
  readonly txid: string | null;
  readonly label: string;
  readonly href: string | null;
}

export interface TransferRows {
  readonly rows: readonly TransferRow[];
  /** How many are not listed, where that are any. */
  readonly more: string | null;
}

export interface FactRow {
  readonly name: string;
  readonly text: string;
  readonly parts: readonly TextPart[];
  /** Ids and addresses: in the system's monospace. */
  readonly code: boolean;
}

export interface ActionLink {
  readonly id: string;
  readonly href: string;
  readonly label: string;
  readonly primary: boolean;
  /** Only for browsers without a script. */
  readonly plain: boolean;
}

/** Where a refund should go, as the page shows it. */
export interface RefundsModel {
  readonly title: string;
  readonly parts: readonly TextPart[];
  readonly address: string | null;
  /** It, for somebody who compares it. */
  readonly inGroups: { readonly prefix: string; readonly groups: readonly string[] };
  readonly onNetwork: string | null;
  readonly note: string | null;
  readonly unchecked: string | null;
  /** What was left before, the latest first. */
  readonly earlier: {
    readonly title: string;
    readonly rows: readonly {
      readonly address: string;
      readonly onNetwork: string;
      readonly parts: readonly TextPart[];
    }[];
  } | null;
  /** `main`: the one strong button of the page. */
  readonly link: { readonly href: string; readonly label: string; readonly main: boolean } | null;
}

/** What the box says about money that nobody asked for. */
export interface FoundModel {
  readonly title: string;
  readonly transfers: TransferRows;
  readonly text: string;
  readonly link: RefundsModel['link'];
}

/** The form in which a buyer says so. */
export interface RefundForm {
  readonly action: string;
  /** More than one where the money arrived on several networks. */
  readonly networks: readonly { readonly id: string; readonly name: string; readonly selected: boolean }[];
  readonly onlyNetwork: string | null;
  readonly networkLabel: string;
  readonly addressLabel: string;
  readonly addressHint: string;
  readonly address: string;
  readonly addressFlaw: string | null;
  readonly noteLabel: string;
  readonly note: string;
  readonly noteFlaw: string | null;
  readonly noteMaxLength: string;
  readonly save: string;
  readonly back: string;
  readonly backHref: string;
}

/** What is on record of a payment: folded away on the screen, whole on paper. */
export interface RecordModel {
  readonly title: string;
  readonly isOpen: boolean;
  readonly facts: readonly FactRow[];
  /** `null` where nothing came. */
  readonly transfers: TransferRows | null;
  /** Transfers that were not asked for, where no box names them. */
  readonly others: { readonly title: string; readonly transfers: TransferRows } | null;
  readonly verify: VerifyModel | null;
  readonly print: string | null;
}

/** From what the address follows, for those who would rather not believe the page. */
export interface VerifyModel {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly FactRow[];
}

export interface SupportModel {
  readonly lead: string;
  readonly text: string;
  readonly href: string | null;
}

/** The whole page, formatted: strings and booleans only, so that the templates decide nothing. */
export interface PayPage extends LayoutModel {
  readonly state: PageState;
  readonly id: string;
  readonly version: string;
  readonly live: string;
  /** In which the script writes dates. */
  readonly notation: string;
  readonly now: string;
  readonly message: string;
  readonly statusUrl: string;
  readonly eventsUrl: string;
  readonly copiedText: string;
  readonly leftText: string;
  readonly urgentText: string;
  /** How much of the price was seen: `some`, `all`, or nothing of it. */
  readonly money: string;
  readonly merchant: string;
  readonly title: string | null;
  readonly total: string;
  /** Too long for the largest size on a small phone. */
  readonly totalIsLong: boolean;
  readonly countdown: { readonly until: string; readonly before: string; readonly at: string } | null;
  readonly notice: { readonly text: string; readonly markIcon: string; readonly tone: Tone } | null;
  readonly said: MessageModel;
  /** Instead of `said`, where the page asks to send. */
  readonly status: StatusModel | null;
  /** Whether there is more to say than the title. */
  readonly saidText: boolean;
  /** Of which kind of page the words are, so that there is room for the longest; empty where they stay as they are. */
  readonly room: 'way' | 'back' | 'over' | '';
  /** Below what can be done: words about a refund, beside which it is listed. */
  readonly later: Pick<Message, 'next' | 'todo'> | null;
  readonly options: readonly OptionGroup[] | null;
  readonly send: SendModel | null;
  readonly confirm: {
    readonly action: string;
    readonly yes: string;
    readonly back: string;
    readonly backHref: string;
  } | null;
  readonly progressLabel: string;
  readonly steps: readonly Step[] | null;
  readonly transfersTitle: string;
  readonly found: FoundModel | null;
  readonly refundsTitle: string;
  /** What goes back, and what went. */
  readonly sentBack: readonly TransferRow[];
  readonly refunds: RefundsModel | null;
  readonly refundForm: RefundForm | null;
  readonly actions: readonly ActionLink[];
  readonly record: RecordModel | null;
  readonly support: SupportModel | null;
  /** What to name to the merchant, where there may be something to ask. */
  readonly reference: { readonly label: string; readonly id: string; readonly copy: string } | null;
}

/** What the parts of the checkout's page are given, for whoever shows them beside each other. */
export interface CheckoutParts extends Pick<
  PayPage,
  | 'options'
  | 'said'
  | 'saidText'
  | 'found'
  | 'transfersTitle'
  | 'refundsTitle'
  | 'sentBack'
  | 'refundForm'
  | 'refunds'
  | 'actions'
  | 'support'
  | 'reference'
  | 'record'
  | 'languages'
> {
  readonly qr: QrModel;
  /** The way to the end, at each of its steps. */
  readonly progress: readonly { readonly progressLabel: string; readonly steps: readonly Step[] }[];
}
