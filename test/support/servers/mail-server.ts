import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  /** Of the envelope: whom it is really for. */
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The same as a page; empty where there is none. */
  readonly html: string;
  /** What is in it beside the words. */
  readonly parts: readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
}

/** The subject as the page of the mail has it, since in the header it is encoded, and the text. */
export function mailText({ html, text }: ReceivedMail): string {
  return `${/<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''}\n${text}`;
}

/** A real SMTP server that keeps what it takes, and refuses when it is told to. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Answer to the next messages instead of taking them: `451` try later, `550` never. */
  refusals: number[] = [];
  /** Recipients that do not exist here. */
  readonly unknown = new Set<string>();
  /** Recipients whose mailbox takes nothing at the moment. */
  readonly busy = new Set<string>();
  /** Whether it refuses every recipient for who sends. */
  unwilling = false;
  /** Answer to every greeting, login or sender instead of taking it. */
  readonly refuses: { connection?: number; login?: number; sender?: number } = {};

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<MailServer> {
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
    });
    const mailServer = new MailServer(server);
    const answer = (code: number | undefined) => (code === undefined ? null : refusal(code));
    server.onConnect = (_session, callback) => callback(answer(mailServer.refuses.connection));
    server.onMailFrom = (_address, _session, callback) => callback(answer(mailServer.refuses.sender));
    server.onAuth = (_auth, _session, callback) =>
      callback(answer(mailServer.refuses.login), { user: 'somebody' });
    server.onRcptTo = ({ address }, _session, callback) => {
      if (mailServer.unknown.has(address)) return callback(refusal(550, '5.1.1 no such mailbox'));
      if (mailServer.unwilling) return callback(refusal(554, '5.7.1 your address is on a list'));
      return mailServer.busy.has(address) ? callback(refusal(451)) : callback();
    };
    server.onData = (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = mailServer.refusals.shift();
        if (code !== undefined) return callback(refusal(code));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        mailServer.mails.push({ from, to, ...parse(Buffer.concat(chunks).toString('utf8')) });
        callback();
      });
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  mailsTo(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function refusal(responseCode: number, text = 'not now'): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Headers of the whole, and what is in it: the text, the page, and pictures. */
function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'parts'> {
  const whole = partOf(raw);
  const parts = partsIn(raw);
  const of = (type: string) =>
    parts.find(({ headers }) => headers['content-type']?.startsWith(type))?.body ?? '';
  return { headers: whole.headers, text: of('text/plain'), html: of('text/html'), parts };
}

/** Whatever lies in another is listed for itself. */
function partsIn(raw: string): { headers: Record<string, string>; body: string }[] {
  const part = partOf(raw);
  const [, boundary] = /^multipart\/.*boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => partsIn(inner.replace(/^\r\n/, '')));
}

/** Folded headers made one line, and the text as quoted-printable leaves it. */
function partOf(raw: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const isQuoted = headers['content-transfer-encoding'] === 'quoted-printable';
  const body = rest.join('\r\n\r\n');
  return { headers, body: isQuoted ? unquoted(body) : body };
}

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
