import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/domain-error.js';
import { Refusal } from '../../../platform/pages/forms/refusal.js';
import type {
  Actor,
  Browser,
  Membership,
  Origin,
  Permission,
  SignedIn,
  ViewsOwner,
} from '../../accounts/accounts.types.js';
import { isMerchantPermission } from '../../accounts/permissions.pure.js';
import { type Fields, flawsOf } from '../domain/flaws.js';
import { Form } from '../domain/form.js';
import { pathWith } from '../domain/safe-path.js';
import { type Say, sayIn } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { Flash, Flashes } from './flash.js';
import type { Reader } from './reader.js';

const contexts = new WeakMap<Request, RequestContext>();

/** What a template is given, beside the layout's own. Strict: a name that a template uses and no model has is an error. */
export interface PageModel {
  /** The page's one heading, and the first part of the browser's title. */
  readonly title: string;
  readonly [name: string]: unknown;
}

/** What turns models into pages, and knows the cookies. */
export interface Writing {
  readonly flashes: Flashes;
  readerOf(request: Request): Reader;
  page(view: string, model: PageModel, context: RequestContext): Promise<string>;
  signInPage(view: string, model: PageModel, request: Request): string;
}

/** Whom the guard has let in, and what for. */
export interface Admitted {
  readonly who: SignedIn;
  readonly permission: Permission;
}

/** One request of a person: who asks, what was sent, and how to answer. Made by the guard. */
export class RequestContext {
  constructor(
    readonly request: Request,
    readonly response: Response,
    /** As lists of sessions and the audit log show it. */
    readonly origin: Origin,
    private readonly admitted: Admitted | null,
    /** Empty but for POST. */
    readonly form: Form,
    private readonly pages: Writing,
  ) {}

  /** What this person reads, in their language. */
  get say(): Say {
    return sayIn(this.pages.readerOf(this.request).language);
  }

  /** @throws on a route that everybody may use */
  get who(): SignedIn {
    return this.admission.who;
  }

  /** @throws on a route whose permission is not about a merchant */
  get membership(): Membership {
    if (!this.who.membership) throw new Error('this person belongs to no merchant');
    return this.who.membership;
  }

  /** The merchant whose things this person sees. Every look-up takes it: what is another's does not exist. */
  get merchantId(): string {
    return this.membership.merchantId;
  }

  get viewsOwner(): ViewsOwner {
    return { personId: this.who.personId, merchantId: this.merchantId };
  }

  /** For the audit log. */
  get actor(): Actor {
    const { who, permission } = this.admission;
    const { email: name, personId, sessionId: id } = who;
    const merchantId = isMerchantPermission(permission) ? this.merchantId : null;
    return { name, personId, session: { id, permission, merchantId }, ip: this.origin.ip };
  }

  private get admission(): Admitted {
    if (!this.admitted) throw new Error('nobody is signed in on this route');
    return this.admitted;
  }

  /** The one that this person sits before: it stays signed in and known where they are thrown out of the others. */
  get here(): Browser {
    return { sessionId: this.who.sessionId, device: this.origin.device ?? null };
  }

  /**
   * Answers with a page: `payments/list` is `views/dashboard/payments/list.hbs` in the layout with the navigation;
   * `sign-in/…` is without it.
   */
  async page(view: string, model: PageModel, status = 200): Promise<void> {
    const html = view.startsWith('sign-in/')
      ? this.pages.signInPage(view, model, this.request)
      : await this.pages.page(view, model, this);
    this.response.status(status).type('html').send(html);
  }

  /**
   * The page again, with what was wrong beside each field, or above where it belongs to none. For what somebody can
   * put right; anything else is thrown on, and becomes an error page.
   * @param fields how the form calls them, where the error has other names for them or none
   */
  async refused(error: unknown, view: string, model: PageModel, fields: Fields = {}): Promise<void> {
    if (!(error instanceof DomainError) || !['invalid', 'conflict', 'throttled'].includes(error.kind))
      throw error;
    this.response.set(error.details.headers ?? {});
    const isTooLarge = error.code === 'payload-too-large';
    const status =
      error.kind === 'throttled' ? 429 : error.kind === 'conflict' ? 409 : isTooLarge ? 413 : 422;
    const { told } = this.say;
    const refusal = new Refusal(flawsOf(error, fields, told), this.request.path, told(error.message));
    await this.page(view, { ...model, refusal }, status);
  }

  /**
   * Answers with a file to keep. What is refused before its first line becomes a page, as anything else that is refused; after it
   * the download fails.
   */
  async csv(name: string, lines: AsyncGenerator<string>): Promise<void> {
    const first = await lines.next();
    this.response.type('text/csv').attachment(name);
    try {
      await pipeline(Readable.from(continued(first, lines)), this.response);
    } finally {
      // Whoever left before the second line was asked for has not stopped the reading.
      await lines.return(undefined);
    }
  }

  /** After a change: to a page, which says what has been done, in the language of this request. */
  redirect(path: string, said: string | Flash | null = null): void {
    if (said !== null)
      this.pages.flashes.leave(this.response, typeof said === 'string' ? { kind: 'good', text: said } : said);
    this.response.redirect(303, path);
  }
}

/** Where to prove one's identity before the form of a page can be used; `null` for whoever just did. */
export function confirmPath({ isFresh }: SignedIn, to: string): string | null {
  return isFresh ? null : pathWith(pathTo('confirm'), { to });
}

async function* continued(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

export function attachContext(request: Request, context: RequestContext): void {
  contexts.set(request, context);
}

/** @throws when no guard has let the request in: a controller that is no `DashboardController` is a bug. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('the request has not come through the session guard');
  return context;
}
