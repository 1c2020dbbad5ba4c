import { messages, words, type Said } from '../catalogue.js';
import type { AssetUrls, LayoutModel, SaidModel } from './pay.types.js';

/** A page about no payment: not found, refused, or an error. Rendered by `checkout/message`. */
export interface MessagePage extends LayoutModel {
  readonly said: SaidModel;
  readonly traceLead: string;
  readonly traceId: string | null;
}

export interface MessageOptions {
  readonly sandbox: boolean;
  readonly assets: AssetUrls;
}

export function notFoundView(traceId: string, options: MessageOptions): MessagePage {
  return messagePage(messages.notFound, traceId, options);
}

/** Any other HTTP status of the checkout, in words for people. */
export function errorView(status: number, traceId: string, options: MessageOptions): MessagePage {
  if (status === 404) return notFoundView(traceId, options);
  const said = status >= 500 ? messages.error : status === 429 ? messages.tooMany : messages.refused;
  return messagePage(said, traceId, options);
}

function messagePage(said: Said, traceId: string | null, options: MessageOptions): MessagePage {
  return {
    documentTitle: said.title,
    sandboxText: options.sandbox ? words.sandbox : null,
    sandboxLink: null,
    offlineText: words.offline,
    assets: options.assets,
    refreshS: null,
    said: { ...said, markIcon: 'icons/mark-warn', tone: 'warn' },
    traceLead: messages.traceId,
    traceId,
  };
}
