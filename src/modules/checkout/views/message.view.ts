import type { PageError } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { languagesModel } from './languages.view.js';
import type { AssetUrls, LayoutModel, MessageModel } from './pay.types.js';
import { unsentModel } from './unsent.view.js';

/** A page about no payment: not found, refused, or an error. Rendered by `checkout/message`. */
export interface MessagePage extends LayoutModel {
  readonly said: MessageModel;
  /** What one can do here; `null` where only the shop has another link. */
  readonly action: { readonly text: string; readonly href: string } | null;
  readonly traceLead: string;
  readonly traceId: string | null;
}

export interface MessageOptions {
  readonly catalogue: Catalogue;
  /** Whether it was asked for by its address, and so can be again in another language. */
  readonly isAddressed: boolean;
  /** Of the payment that it is about; `null` for any other address. */
  readonly paymentPath: string | null;
  readonly sandbox: boolean;
  readonly assets: AssetUrls;
}

export function notFoundView(traceId: string, options: MessageOptions): MessagePage {
  return messagePage('notFound', traceId, options);
}

/** Any other HTTP status of the checkout, in words for people. */
export function failureView(status: number, traceId: string, options: MessageOptions): MessagePage {
  if (status === 404) return notFoundView(traceId, options);
  return messagePage(status >= 500 ? 'error' : status === 429 ? 'tooMany' : 'refused', traceId, options);
}

function actionOf(error: PageError, { catalogue, isAddressed, paymentPath }: MessageOptions) {
  if (error === 'notFound' || paymentPath === null) return null;
  const isAgain = isAddressed && error !== 'refused';
  return { text: isAgain ? catalogue.loadAgain : catalogue.back, href: paymentPath };
}

function messagePage(error: PageError, traceId: string | null, options: MessageOptions): MessagePage {
  const { catalogue, isAddressed } = options;
  const said = catalogue.errors[error];
  const parts = [{ text: `${said.happened} ${said.next}`, iso: null, clock: false }];
  return {
    locale: catalogue.locale,
    // Relative, because a path that is none of ours may read like the address of another host.
    languages: isAddressed ? languagesModel('', null, catalogue) : null,
    documentTitle: said.title,
    sandboxText: options.sandbox ? catalogue.sandbox : null,
    sandboxLink: null,
    offlineText: catalogue.offline,
    unsent: unsentModel(catalogue),
    assets: options.assets,
    face: { css: null, logo: null },
    action: actionOf(error, options),
    refreshS: null,
    said: { ...said, parts, markIcon: 'icons/mark-warn', tone: 'warn' },
    traceLead: catalogue.errorTraceId,
    traceId,
  };
}
