import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

interface Content {
  readonly content?: Readonly<Record<string, unknown>>;
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
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Judged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

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
    if (method === 'HEAD') return;
    this.hold(where, `${pointer}/responses/${answer.status}/content/${escaped(type)}/schema`, answer.text);
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
    const validate = this.validator(pointer);
    if (validate(JSON.parse(text))) return;
    throw new Error(`${where} breaks the contract: ${this.ajv.errorsText(validate.errors)} in ${text}`);
  }

  /** Compiles any schema of the document. @throws when a reference leads nowhere */
  validator(pointer: string): ValidateFunction {
    const $ref = `contract#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    return this.ajv.getSchema($ref) ?? this.ajv.compile({ $ref });
  }
}
