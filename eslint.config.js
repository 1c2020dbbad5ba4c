import { defineConfig } from 'eslint/config';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const ENV_MESSAGE = 'Only src/config reads the environment; take the Config by injection.';
const CAN_PARSE = {
  object: 'URL',
  property: 'canParse',
  message: 'Take parseUrl of the kernel: this one forgets umlauts once it is hot.',
};
const SIGNAL_ANY = {
  object: 'AbortSignal',
  property: 'any',
  message: 'Take `within` of platform/deadline: Node may collect a timeout in here before it fires.',
};
const PROCESS_ENV = { object: 'process', property: 'env', message: ENV_MESSAGE };
const JSON_PARSE = {
  object: 'JSON',
  property: 'parse',
  message: 'Take parseLargeJson of platform/outgoing: others wait while a long answer is parsed in one go.',
};
const EACH_PROBLEM = {
  object: 'z',
  property: 'array',
  message:
    'Take nodeList, listOf or listOfAll: this one notes what is wrong with each of a million entries, at once.',
};
const SKIPS = ['it', 'test', 'describe'].map((object) => ({
  object,
  property: 'skip',
  message: 'Take itWith or describeWith of test/support/run/tools.ts: they say it, and fail under CI.',
}));
const noEnv = {
  'no-restricted-properties': ['error', PROCESS_ENV, CAN_PARSE, SIGNAL_ANY],
  'no-restricted-imports': [
    'error',
    {
      paths: ['process', 'node:process'].map((name) => ({
        name,
        importNames: ['env'],
        message: ENV_MESSAGE,
      })),
    },
  ],
};

/** Where JSON is parsed in one go: it is ours, or what a request may carry at most, or a piece of something longer. */
const PARSING = [
  // Pieces, and what reads lists entry by entry.
  'src/platform/outgoing/{json-pieces,large-json,read-foreign}.ts',
  'src/modules/chains/domain/coin-json.ts',
  // A request's: of 64 KiB at most.
  'src/platform/http/input/{json-body.guard,duplicate-names}.ts',
  'src/modules/accounts/second-factors/domain/passkey-answer.ts',
  'src/modules/dashboard/session/flash.ts',
  'src/modules/sandbox/receiver/received-events.ts',
  // Files, rows and questions that we wrote.
  'src/platform/process/{version,own-json}.ts',
  'src/cli/listen/{listener,progress}.ts',
  'src/modules/sandbox/local/{evm/anvil-state,postgres/postgres-binaries}.ts',
  'src/modules/chains/evm/node/answers/own-answers.ts',
  'src/modules/chains/reconciliation/evm/reconciler.ts',
  'src/modules/intents/api/payment-events.service.ts',
];

/** Ways out of the process that know no limits, and the files that give them some. */
const CLIENTS = [
  ...['http', 'https'].map((name) => ({ name: `node:${name}`, importNames: ['request', 'get', 'Agent'] })),
  ...['net', 'tls'].map((name) => ({ name: `node:${name}`, importNames: ['connect', 'createConnection'] })),
  { name: 'node:http2', importNames: ['connect'] },
  { name: 'undici', allowTypeImports: true },
  { name: 'viem', importNames: ['http', 'webSocket', 'createPublicClient'] },
].map((path) => ({
  ...path,
  message:
    'Take an `outgoingAgent`, or `askNode` of an EVM network: what is beyond answers anything, and without end.',
}));
const DIALLING = [
  'src/platform/outgoing/*.ts',
  'src/platform/mail/smtp-socket.ts',
  'src/modules/chains/evm/node/node-{client,transport}.ts',
  'src/modules/webhooks/delivery/vetted-connector.ts',
];

/** Asks the nodes that the sandbox has started, and each call has a deadline. */
const LOCAL_NODES = 'src/modules/sandbox/local/rpc.ts';

const TS_ENUM = {
  selector: 'TSEnumDeclaration',
  message: 'Use a string union: it needs no import and is its own JSON.',
};
const SPREAD_LITERALS = {
  selector:
    ':matches(SpreadElement, SpreadElement > TSAsExpression, SpreadElement > TSSatisfiesExpression) > :matches(ObjectExpression, ArrayExpression)',
  message:
    'Write the properties plainly: around a literal a spread says nothing, however long the lines become.',
};
const DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Use a named export: it has one name everywhere, and a search finds it.',
};

const SQL = ['query', 'createQueryBuilder'].map((name) => ({
  selector: `CallExpression[callee.property.name="${name}"]`,
  message: 'SQL stands in data/ or src/database: give it a name in a repository (docs/adr/0051).',
}));
/** A text that is SQL, by what only SQL says in capitals, or by its functions. */
const SQL_TEXT = [
  String.raw`\b(SELECT|INSERT INTO|DELETE FROM|RETURNING|ORDER BY|GROUP BY|(INNER|LEFT|CROSS) JOIN)\b`,
  String.raw`\bUPDATE \w+ (AS \w+ |\w+ )?SET\b|\bIS (NOT )?(NULL|DISTINCT)\b|\bNOT EXISTS\b`,
  String.raw`\bWHERE\b|\bJOIN \w+ \w+ ON\b|\b(clock_timestamp|make_interval|unnest)\(`,
].join('|');
const SQL_TEXTS = [`Literal[value=/${SQL_TEXT}/]`, `TemplateElement[value.raw=/${SQL_TEXT}/]`].map(
  (selector) => ({
    selector,
    message: 'SQL stands in data/ or src/database, its parts too (docs/adr/0051).',
  }),
);
/** What a test may not take from a run that goes on without what is slow: a look after it saw what was not decided yet. */
const UNFINISHED_RUNS = {
  group: ['**/intents.jobs.js'],
  message:
    'Take applyAllChanges or sweepAll of test/support/intents/decided: a run leaves behind what is slow.',
};
/** What a pure function cannot do: its answer would not be that of its arguments. */
const PURE = ['src/kernel/**/*.ts', 'src/**/domain/**/*.ts', 'src/**/*.pure.ts'];
const IMPURE = [
  'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'MemberExpression[object.name=/^(performance|process)$/]',
  'CallExpression[callee.name=/^(fetch|set(Timeout|Interval|Immediate)|queueMicrotask)$/]',
  'AwaitExpression',
  'ImportDeclaration[source.value=/^node:(?!crypto$|zlib$)/]',
].map((selector) => ({
  selector,
  message: 'Pure: take the time and what was read as arguments (docs/ARCHITECTURE.md, "Where things live").',
}));
const CHANCE = [
  'ImportSpecifier[imported.name=/^random/]',
  'MemberExpression[object.name="Math"][property.name="random"]',
].map((selector) => ({ selector, message: 'Pure: chance is drawn only where a secret or an id is made.' }));
/** Where an id or a secret is made. */
const DRAWING = [
  'src/kernel/{random-bytes,webhook-signature}.ts',
  'src/modules/auth/domain/api-key.ts',
  'src/modules/accounts/domain/token.ts',
  'src/modules/accounts/second-factors/domain/recovery-code.ts',
];
const STATEMENT = {
  selector: 'CallExpression[callee.name=/^(writeS|s)tatement$/]',
  message: 'A prepared statement stands in data/ or src/database (docs/adr/0051).',
};
/** A `*.types.ts` may be imported for its shapes by whoever asks for no behaviour. */
const FUNCTIONS_OF_TYPES = {
  selector: ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression, ClassDeclaration)',
  message:
    'A *.types.ts holds types, schemas and constants: what calculates stands in a *.pure.ts or in domain/.',
};
/** A field that the compiler does not see set: only a library fills it. */
const DEFINITE = {
  selector: ':matches(PropertyDefinition, AccessorProperty, VariableDeclarator)[definite=true]',
  message:
    'Set it in the constructor or where it is declared: `!:` is for entities and DTOs, which a library fills.',
};
/** Others' text may have megabytes, of which a line is kept. */
const CUT_LAST = {
  selector:
    'CallExpression[callee.property.name=/^(slice|substring)$/][callee.object.callee.property.name=/^replace(All)?$/]',
  message:
    'Cut first, as printableLine and printableText of the kernel do: what is cut off is not looked through.',
};
/** `length` counts two for many characters, which PostgreSQL's `char_length`, the contract and whoever is told the limit do not. */
const UTF16_LENGTH = {
  selector:
    'BinaryExpression[left.property.name="length"][right.name=/^MAX_(.+_)?(CHARS|NOTE|REASON|LABEL)$|^MAX_.+_LENGTH$/]',
  message: 'Count with characterCount of the kernel.',
};
const IN_DATA = [TS_ENUM, SPREAD_LITERALS, DEFAULT_EXPORT, CUT_LAST, UTF16_LENGTH];
const IN_DTO = [...IN_DATA, ...SQL, ...SQL_TEXTS, STATEMENT];
const EVERYWHERE = [...IN_DTO, DEFINITE];

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/', '.data/', 'node_modules/', '**/*.d.mts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  // What is imported stands in one order, outermost first: effects, Node's, packages, ours from far to near.
  {
    files: ['**/*.{ts,js,mjs}'],
    plugins: { 'simple-import-sort': importSort },
    rules: {
      'simple-import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^', '^\\.\\.', '^\\.']] },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // Nest injects by the constructor's types at run time: a type-only import of a class would be erased.
      '@typescript-eslint/consistent-type-imports': 'off',
      // An empty module class is how Nest declares a module.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Whoever adds a status, a kind or a state is led to each place that tells them apart.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Nearly always a slip of the keyboard; where it is meant, the line says so.
      'no-control-regex': 'error',
      'no-restricted-syntax': ['error', TS_ENUM, SPREAD_LITERALS],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...IN_DATA, DEFINITE],
      'no-console': 'error',
      ...noEnv,
    },
  },
  // The sandbox makes databases and their roles, and reaches into what nobody else may.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/database/**', 'src/**/data/**', 'src/modules/sandbox/**', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE] },
  },
  { files: ['src/**/*.entity.ts'], rules: { 'no-restricted-syntax': ['error', ...IN_DATA] } },
  {
    files: ['src/**/dto/*.{request,response}.ts'],
    rules: { 'no-restricted-syntax': ['error', ...IN_DTO] },
  },
  // Where the caller is mistaken, `undefined` would go on to wherever it is used.
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'error' },
  },
  {
    files: PURE,
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...IMPURE, ...CHANCE] },
  },
  {
    files: ['src/**/*.types.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, FUNCTIONS_OF_TYPES] },
  },
  {
    files: DRAWING,
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...IMPURE] },
  },
  // What is not ours may answer without end: nodes by NodeHttp, prices by PriceHttp, receivers by WebhookSender, and whom a
  // command asks by `askServer` of the command line.
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', LOCAL_NODES],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Take an `outgoingAgent`: an answer to fetch has no limits.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', ...DIALLING],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths: CLIENTS }] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', ...PARSING],
    rules: {
      'no-restricted-properties': ['error', PROCESS_ENV, CAN_PARSE, SIGNAL_ANY, JSON_PARSE, EACH_PROBLEM],
    },
  },
  // Where the environment is read, once, into a Config.
  {
    files: ['src/config/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', CAN_PARSE, SIGNAL_ANY], 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      // Answers of the server under test are untyped on purpose: a spec looks at them as a client would.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // expect(object.method) is jest's way to look at a function.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/run/tools.ts'],
    rules: { 'no-restricted-properties': ['error', ...SKIPS] },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/intents/decided.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [UNFINISHED_RUNS] }] },
  },
);
