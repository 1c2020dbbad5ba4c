import { randomBytes, randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Role } from '../../../src/modules/accounts/accounts.types.js';
import { PeopleRepository } from '../../../src/modules/accounts/data/people.repository.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { SignInService } from '../../../src/modules/accounts/sign-in/sign-in.service.js';
import { CLI_ACTOR } from '../intents/by.js';

/** A page as a person's browser gets it. Redirects are not followed: where they lead is part of the answer. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly html: string;
}

interface Served {
  readonly url: string;
  readonly app: INestApplicationContext;
}

/** One of a merchant's staff (or an operator) with a browser: cookies, and forms as the page before has them. */
export class Staff {
  static readonly PASSWORD = 'a plain sentence for tests';
  private readonly cookies = new Map<string, string>();
  private csrf = '';
  /** The merchant of the page that was seen last; `null`: it has led elsewhere since. */
  private shown: string | null = null;
  /** Behind a trusted proxy each is an address of its own, so that nobody uses up another's requests of the minute. */
  private address = `198.51.${randomInt(100, 255)}.${randomInt(1, 255)}`;

  private constructor(
    private readonly url: string,
    readonly email: string,
  ) {}

  /** Makes the person and signs them in. */
  static async of(
    service: Served,
    who: { merchantId?: string; role?: Role; isOperator?: boolean; isEmailProven?: boolean },
  ): Promise<Staff> {
    const email = `${who.role ?? 'operator'}-${randomBytes(4).toString('hex')}@staff.example`;
    const id = await service.app
      .get(PeopleService)
      .create({ email, password: Staff.PASSWORD, ...who }, CLI_ACTOR);
    const token = await sessionOf(service, { id, email });
    const staff = new Staff(service.url, email);
    staff.cookies.set(`session-${new URL(service.url).port}`, token);
    return staff;
  }

  /** Somebody who is not signed in. */
  static stranger(service: Pick<Served, 'url'>, email = 'nobody@staff.example'): Staff {
    return new Staff(service.url, email);
  }

  /** Another browser behind the same address. */
  static behind({ url, address }: Staff): Staff {
    const neighbour = new Staff(url, 'neighbour@staff.example');
    neighbour.address = address;
    return neighbour;
  }

  signIn(password: string): Promise<PageAnswer> {
    return this.post('/dashboard/sign-in', { email: this.email, password });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const answer = await this.call(path, { headers });
    const form = /name="csrf" value="([^"]+)"><input type="hidden" name="shown" value="([^"]*)"/.exec(
      answer.html,
    );
    if (form) [, this.csrf = '', this.shown = ''] = form;
    return answer;
  }

  /** Sends a form with the token and the merchant of the page that was seen last. */
  async post(
    path: string,
    fields: Record<string, string | string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const body = new URLSearchParams(await this.carried());
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name);
      for (const one of [value].flat()) body.append(name, one);
    }
    return this.send(path, body, headers);
  }

  /** Sends a form that holds a file. */
  async upload(path: string, file: Uint8Array, fields: Record<string, string> = {}): Promise<PageAnswer> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...(await this.carried()), ...fields }))
      body.append(name, value);
    body.append('logo', new Blob([new Uint8Array(file)]), 'logo.png');
    return this.send(path, body);
  }

  /** What every form of the page carries. */
  private async carried(): Promise<{ csrf: string; shown: string }> {
    if (this.cookies.size > 0 && (this.csrf === '' || this.shown === null))
      await this.get('/dashboard/confirm');
    return { csrf: this.csrf, shown: this.shown ?? '' };
  }

  private async send(
    path: string,
    body: URLSearchParams | FormData,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const answer = await this.call(path, { method: 'POST', body, headers: { origin: this.url, ...headers } });
    // A browser would show another page now, maybe of another merchant.
    if (answer.status === 303) this.shown = null;
    return answer;
  }

  /** What the cookie jar holds, for requests that a test builds itself. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** For a real browser. */
  get sessionCookie(): { name: string; value: string } {
    const [name, value] = [...this.cookies].find(([key]) => key.includes('session')) ?? ['', ''];
    return { name, value };
  }

  private async call(path: string, init: RequestInit): Promise<PageAnswer> {
    const response = await fetch(this.url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: this.cookie,
        'x-forwarded-for': this.address,
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const { status, headers } = response;
    return { status, headers, location: headers.get('location'), html: await response.text() };
  }

  private keep(line: string): void {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
    if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
    else if (this.cookies.get(name) !== value) {
      this.cookies.set(name, value);
      if (name.includes('session')) this.csrf = '';
    }
  }
}

/** A session past the form, whose limit per address would be the test's. @returns what its cookie holds */
export async function sessionOf(
  { app }: Pick<Served, 'app'>,
  { id, email }: { readonly id: string; readonly email: string },
  userAgent = 'a test',
): Promise<string> {
  const person = await app.get(PeopleRepository).findByEmail(email);
  const proven = { personId: id, email, credentials: person?.credentials ?? '' };
  return (await app.get(SignInService).begin(proven, { ip: '192.0.2.1', userAgent })).token;
}

/** Where the link of an invitation or a reset leads, on whichever host. */
export function linkPath({ url }: { readonly url: string | null }): string {
  if (url === null) throw new Error('the link went to the mailbox');
  return new URL(url).pathname;
}
