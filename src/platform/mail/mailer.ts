import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type MailConfig } from '../../config/config.types.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import type { Language } from '../../kernel/text/staff-languages.js';
import { checkedIdentity, TLS_LIMITS } from '../outgoing/bounded-tls.js';
import { type LetterHead, letterHtml, LOGO_CID } from './letter-html.js';
import { limitedSocket, type SocketLimits } from './smtp-socket.js';

/** Each step of the exchange; nodemailer's own limits are minutes, longer than any lease on the work. */
const STEP_TIMEOUT_MS = 10_000;
/** Beyond the steps': a server may answer each in time, and for ever. */
const LIMITS: SocketLimits = { connectMs: STEP_TIMEOUT_MS, exchangeMs: 30_000, receivedBytes: 24 * 1024 };
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

export interface OutgoingMail {
  /** Plain addresses, all of them visible to each other. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** In which both are. */
  readonly language: Language;
  /** Whose it is, where it is not our own. */
  readonly head?: LetterHead;
  /** What `head` says of, as PNG. */
  readonly logo?: Buffer;
  /** The same for every try of one mail, so that a mailbox may drop a repetition. `[a-z0-9_]`. */
  readonly id?: string;
}

/** Mail by SMTP, as text and as a page that says the same, where the operator has configured it. Never inside a transaction: it is a network call. */
@Injectable()
export class Mailer {
  private readonly mail: MailConfig | null;
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) { mail, baseUrl }: Config) {
    this.mail = mail;
    this.baseUrl = baseUrl;
  }

  get configured(): boolean {
    return this.mail !== null;
  }

  /**
   * @returns the addresses for which the server wants it later, while it took it for others. Those that it never takes it
   *   for are left out
   * @throws Error when it was not configured, not reached, or took the mail for nobody
   */
  async send({
    to,
    subject,
    text,
    language,
    head,
    logo,
    id,
  }: OutgoingMail): Promise<{ deferred: readonly string[] }> {
    if (!this.mail) throw new Error('no SMTP server is configured');
    const { from } = this.mail;
    const host = from.replace(/^.*@|>$/g, '');
    const transport = await transportOf(this.mail);
    const { rejectedErrors = [] } = await transport.sendMail({
      from,
      to: [...to],
      subject: oneLine(subject),
      text,
      html: letterHtml({ subject, text, language }, this.baseUrl, head),
      ...(logo === undefined ? {} : { attachments: [inline(logo)] }),
      ...(id === undefined ? {} : { messageId: `<${id}@${host}>` }),
      // Out-of-office answers to a machine help nobody.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const deferred = to.filter((address) =>
      rejectedErrors.some((error) => error.recipient === address && !isRefused(error)),
    );
    return { deferred };
  }
}

/** By RFC 3463: there is no such mailbox or domain, its name is none, it takes no mail, or it takes none any more. */
const NO_MAILBOX = /^55\d[ -]5\.(1\.([1236]|10)|2\.1)\b/;

/**
 * Whether a server says that there is no such mailbox. Whatever else it refuses for good (RFC 5321, 4.2.1: `5xx`), the sender,
 * their password, this machine's address, what a mail says, somebody mends, or a second try shows.
 */
export function isRefused(error: unknown): boolean {
  const { command, response } = fieldsOf(error);
  const isOfRecipient = command === 'RCPT TO' || command === 'DATA';
  return isOfRecipient && typeof response === 'string' && NO_MAILBOX.test(response);
}

/** For one mail, which has one connection. */
async function transportOf({ smtpUrl }: MailConfig) {
  const { createTransport } = await import('nodemailer');
  const { username, hostname, port, protocol } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return createTransport({
    url: smtpUrl,
    // A password must not go out in the clear because somebody on the way has cut STARTTLS out of the greeting.
    requireTLS: username !== '' && !isLocal,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    getSocket: (_options, done) => {
      limitedSocket(host, Number(port) || (PORTS[protocol] ?? 587), LIMITS).then(
        // Typed as a socket, though any stream that knows a time limit will do.
        (connection) => done(null, { connection: connection as unknown as Socket }),
        (error: Error) => done(error),
      );
    },
    tls: { ...TLS_LIMITS, checkServerIdentity: checkedIdentity() },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Beside the words that show it: no attachment that somebody would open. */
function inline(png: Buffer) {
  return {
    filename: 'logo.png',
    content: png,
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
    cid: LOGO_CID,
  };
}

/** A header is one line: what somebody typed must not begin another. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
