import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { ApiContract } from '../../support/api/api-contract.js';
import { runsOf, seedOf } from '../../support/run/seed.js';
import { Service } from '../../support/service/service.js';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.js';

/**
 * Requests made from the contract, near it and far from it. Whatever comes: never a 5xx, never an answer that the
 * contract does not know, and what the contract calls valid is taken, what it calls invalid is refused.
 * `npm run fuzz` sends a million. `FUZZ_SEED` replays what a failure printed.
 */
const REQUESTS = runsOf('FUZZ_REQUESTS', 3_000);
const SEED = seedOf('FUZZ_SEED', 'FUZZ_REQUESTS');
const AT_ONCE = 20;
/** For what hangs. */
const LIMIT_MS = REQUESTS > 10_000 ? 6 * 3_600_000 : 900_000;

const PLENTY = '1000000';
let service: Service;
let contract: ApiContract;
let key: string;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  service = await Service.start({
    env: {
      RATE_LIMIT_WRITES_PER_MINUTE: PLENTY,
      RATE_LIMIT_READS_PER_MINUTE: PLENTY,
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: PLENTY,
    },
  });
  ({ key } = await service.shop());
  contract = await ApiContract.servedAt(service.url);
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function send({ method, target, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = service.config;
    const options = { agent, host: '127.0.0.1', port, method, path: target };
    const request = httpRequest(
      { ...options, headers: { host: `localhost:${port}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject).end(body);
  });
}

/** What the contract cannot say in its schema, and says in words. */
const IN_WORDS = new Set(['/amount', '/returnUrl', '/title', '/idempotencyKey']);

/** Whether the request body is one of the contract's, told by a validator that is not ours. */
function isDescribed(body: string): boolean | null {
  try {
    return contract.validator('/components/schemas/CreateIntentRequest')(JSON.parse(body));
  } catch {
    return null;
  }
}

function judge(request: FuzzRequest, answer: Answer): void {
  if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
  contract.judge(request.method, request.target, answer);
  const isPlain = Object.keys(request.headers).every(
    (name) => name === 'authorization' || name === 'content-type',
  );
  const isCreate = request.method === 'POST' && request.target === '/api/v1/intents';
  if (!isCreate || !isPlain || answer.status === 401 || answer.status === 413 || answer.status === 415)
    return;
  const described = isDescribed(request.body ?? '');
  if (described === true && answer.status >= 400) {
    const { errors = [] } = JSON.parse(answer.text) as { errors?: { pointer: string }[] };
    const inWords = errors.every(({ pointer }) => IN_WORDS.has(pointer));
    if (!inWords) throw new Error(`refused, though the contract allows it: ${answer.text}`);
  }
  if (described !== true && answer.status < 400) throw new Error(`taken, though the contract forbids it`);
}

it(
  'answers whatever is sent as the contract says',
  async () => {
    const ids: string[] = [];
    const sent: Record<string, number> = {};
    const property = fc.asyncProperty(
      fc.array(fuzzRequests(contract.document, key, ids), { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (requests) => {
        await Promise.all(
          requests.map(async (request) => {
            const answer = await send(request);
            judge(request, answer);
            sent[answer.status] = (sent[answer.status] ?? 0) + 1;
            if (answer.status === 201 && ids.length < 1_000)
              ids.push((JSON.parse(answer.text) as { id: string }).id);
          }),
        );
      },
    );
    const numRuns = Math.ceil(REQUESTS / AT_ONCE);
    await fc.assert(property, { seed: SEED, numRuns, endOnFailure: false });
    console.log(`fuzz: seed ${SEED}, answers ${JSON.stringify(sent)}`);
    expect(Object.keys(sent)).toEqual(expect.arrayContaining(['200', '201', '400', '404']));
  },
  LIMIT_MS,
);
