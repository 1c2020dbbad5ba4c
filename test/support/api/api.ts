import type { Payment, PaymentIntent } from '../../../src/modules/intents/intents.types.js';
import type { Service } from '../service/service.js';
import { ApiContract } from './api-contract.js';

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** The shape that most answers have in one respect or another. */
export interface AnyBody extends PaymentIntent {
  readonly type: string;
  readonly code: string;
  readonly detail: string;
  readonly traceId: string;
  readonly instance: string;
  readonly errors?: readonly { pointer?: string; parameter?: string; code: string; detail: string }[];
  readonly payment: Payment | null;
  readonly items: readonly PaymentIntent[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** A merchant's server: plain HTTP calls with one key, or with none. Every answer is held against the contract. */
export class Api {
  constructor(
    private readonly service: Pick<Service, 'url'>,
    private readonly key: string | null,
  ) {}

  create(body: unknown, headers: Record<string, string> = {}): Promise<Answer<AnyBody>> {
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.call('POST', '/api/v1/intents', {
      headers: { 'content-type': 'application/json', ...headers },
      body: content as RequestInit['body'],
    });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer<AnyBody>> {
    return this.call('GET', path.startsWith('/') ? path : `/api/v1/intents/${path}`, { headers });
  }

  cancel(id: string, init: RequestInit = {}): Promise<Answer<AnyBody>> {
    return this.call('POST', `/api/v1/intents/${id}/cancel`, init);
  }

  list(query = ''): Promise<Answer<AnyBody>> {
    return this.call('GET', `/api/v1/intents${query}`);
  }

  async call(method: string, path: string, init: RequestInit = {}): Promise<Answer<AnyBody>> {
    const key: Record<string, string> = this.key === null ? {} : { authorization: `Bearer ${this.key}` };
    const headers = { ...key, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.service.url + path, { redirect: 'manual', ...init, method, headers });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as AnyBody,
    };
    (await ApiContract.servedAt(this.service.url)).judge(method, path, answer);
    return answer;
  }
}
