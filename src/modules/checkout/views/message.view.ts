import { errorMessages, messages, type Message } from '../catalogue.js';
import type { AssetUrls, LayoutModel, MessageModel } from './pay.types.js';

/** A page about no payment: not found, refused, or an error. Rendered by `checkout/message`. */
export interface MessagePage extends LayoutModel {
  readonly said: MessageModel;
  readonly traceLead: string;
  readonly traceId: string | null;
}

export interface MessageOptions {
  readonly sandbox: boolean;
  readonly assets: AssetUrls;
}

export function notFoundView(traceId: string, options: MessageOptions): MessagePage {
  return messagePage(errorMessages.notFound, traceId, options);
}

/** Any other HTTP status of the checkout, in words for people. */
export function errorView(status: number, traceId: string, options: MessageOptions): MessagePage {
  if (status === 404) return notFoundView(traceId, options);
  const said =
    status >= 500 ? errorMessages.error : status === 429 ? errorMessages.tooMany : errorMessages.refused;
  return messagePage(said, traceId, options);
}

function messagePage(said: Message, traceId: string | null, options: MessageOptions): MessagePage {
  return {
    documentTitle: said.title,
    sandboxText: options.sandbox ? messages.sandbox : null,
    sandboxLink: null,
    offlineText: messages.offline,
    assets: options.assets,
    refreshS: null,
    said: { ...said, markIcon: 'icons/mark-warn', tone: 'warn' },
    traceLead: errorMessages.traceId,
    traceId,
  };
}
