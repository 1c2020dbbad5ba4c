import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

interface Content {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Content>>;
}

export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

interface Judged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Of HTTP itself, and those against a browser's mistakes, which every answer of the server has. */
const OF_HTTP = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

const contracts = new Map<string, Promise<ApiContract>>();
const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The OpenAPI document that a service serves, as a judge of its answers: a status, a content type, a field or a
 * format that it does not promise fails the test that has met it.
 */
export class ApiContract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });

  private constructor(readonly document: ContractDocument) {
    const closed = structuredClone(document);
    // A contract may leave its objects open; our answers hold nothing that it does not name.
    for (const schema of Object.values(closed.components.schemas)) {
      Object.assign(schema, { additionalProperties: false });
    }
    this.ajv.addSchema({ ...closed, $id: 'contract' });
  }

  /** Fetched once for each service. */
  static servedAt(baseUrl: string): Promise<ApiContract> {
    const contract =
      contracts.get(baseUrl) ??
      fetch(`${baseUrl}/openapi.json`).then(
        async (response) => new ApiContract((await response.json()) as ContractDocument),
      );
    contracts.set(baseUrl, contract);
    return contract;
  }

  /** @throws Error saying what of the answer the contract does not know */
  judge(method: string, target: string, answer: Judged): void {
    const path = target.split('?')[0] ?? '';
    if (!path.startsWith('/api/')) return;
    const found = this.operationAt(path, method === 'HEAD' ? 'get' : method.toLowerCase());
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const where = `${method} ${path} → ${answer.status} ${type}`;
    if (!found) return this.judgeUndocumented(where, type, answer);
    const { pointer, operation } = found;
    const response = operation.responses[answer.status];
    if (!response) throw new Error(`${where}: the contract does not know this status`);
    if (!response.content?.[type]) throw new Error(`${where}: the contract does not know this content type`);
    this.judgeHeaders(where, response.headers ?? {}, answer.headers);
    if (method === 'HEAD') return;
    this.hold(where, `${pointer}/responses/${answer.status}/content/${escaped(type)}/schema`, answer.text);
  }

  /** Each header that is promised and has come, each that must come, and none besides. */
  private judgeHeaders(where: string, promised: NonNullable<Content['headers']>, headers: Headers): void {
    for (const [name, { $ref }] of Object.entries(promised)) {
      const value = headers.get(name);
      const component = $ref.split('/').at(-1) ?? '';
      if (value !== null) this.holdValue(where, `/components/headers/${component}/schema`, value);
      else if (this.document.components.headers[component]?.required) {
        throw new Error(`${where}: the header ${name} is missing`);
      }
    }
    const known = new Set(Object.keys(promised).map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !known.has(name) && !OF_HTTP.has(name));
    if (unknown.length > 0)
      throw new Error(`${where}: the contract does not know the header ${unknown.join()}`);
  }

  /** What no operation describes (405, 404 beside the paths, OPTIONS) is empty or a problem document. */
  private judgeUndocumented(where: string, type: string, answer: Judged): void {
    if (answer.status < 400 || answer.text === '') return;
    if (type !== 'application/problem+json') throw new Error(`${where}: not a problem document`);
    this.hold(where, '/components/schemas/ProblemDocument', answer.text);
  }

  private operationAt(path: string, method: string): { pointer: string; operation: Operation } | null {
    for (const [template, operations] of Object.entries(this.document.paths)) {
      const shape = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i');
      const operation = operations[method];
      if (shape.test(path) && operation) {
        return { pointer: `/paths/${escaped(template)}/${method}`, operation };
      }
    }
    return null;
  }

  private hold(where: string, pointer: string, text: string): void {
    this.holdValue(where, pointer, JSON.parse(text));
  }

  private holdValue(where: string, pointer: string, value: unknown): void {
    const validate = this.validator(pointer);
    if (validate(value)) return;
    const told = `${this.ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`;
    throw new Error(`${where} breaks the contract: ${told}`);
  }

  /** Compiles any schema of the document. @throws when a reference leads nowhere */
  validator(pointer: string): ValidateFunction {
    const $ref = `contract#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    return this.ajv.getSchema($ref) ?? this.ajv.compile({ $ref });
  }
}

/** `fetch` for clients that are not `Api`: every answer of the service is held against its contract. */
export function judgedFetch(baseUrl: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.clone().text();
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    (await ApiContract.servedAt(baseUrl)).judge(init?.method ?? 'GET', pathname, {
      status: response.status,
      headers: response.headers,
      text,
    });
    return response;
  };
}
