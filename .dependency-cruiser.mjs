import { EVERYTHING, MAY_IMPORT, ROOMS } from './scripts/boundaries.mjs';

const isFolder = (room) => !room.endsWith('.ts');
const ROOM_FOLDERS = Object.entries(ROOMS).flatMap(([module, rooms]) =>
  Object.keys(rooms)
    .filter(isFolder)
    .map((room) => `${module}/${room}`),
);

// What a module or a room of it shows to others; anything else can be changed by reading that module alone.
const PUBLIC_FILE = `^src/(modules/[^/]+|${ROOM_FOLDERS.join('|')})/[^/]+\\.(module|service|types|pure|errors|http)\\.ts$`;
// Parts of statements that the data/ of other modules may build into theirs.
const SHARED_SQL = `^src/(modules/[^/]+|${ROOM_FOLDERS.join('|')})/data/[^/]+\\.shared\\.sql\\.ts$`;
const PURE = [`^src/(kernel|(modules/[^/]+|${ROOM_FOLDERS.join('|')})/domain)/`, '\\.pure\\.ts$'];
const NOT_SANDBOX = '^src/(app\\.start\\.ts$|cli/|modules/sandbox/)';

const rooms = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `${room.replace('/', '-')}-imports`,
  comment: `Imports run one way, or a change anywhere can break anything: ${room} may import ${
    allowed === EVERYTHING ? 'anything' : allowed.join(', ') || 'nothing of ours'
  }.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [room, ...allowed].map((name) => (name ? `^src/${name}/` : '^src/')) },
}));

/** Where a room's files are: a folder's, or the one file that stands as a room. */
const filesOf = (module, room) =>
  `^src/${module}/${isFolder(room) ? `${room}/` : `${room.replaceAll('.', '\\.')}$`}`;

/** The part of a module that all of its rooms may see; `domain/` not where it is a room that sees others. */
const shared = (module) => {
  const folders = ['domain', 'data'].filter((name) => !(name in ROOMS[module])).map((name) => `${name}/`);
  return `^src/${module}/(${['[^/]+\\.(types|pure|errors)\\.ts$', ...folders].join('|')})`;
};

const roomsInside = Object.entries(ROOMS).flatMap(([module, table]) => [
  ...Object.entries(table).map(([room, allowed]) => ({
    name: `${module.replace('/', '-')}-${room}-imports`,
    comment: `${module}/${room} may see ${allowed.join(', ') || 'no other room'}, and what is the whole module's.`,
    severity: 'error',
    from: { path: filesOf(module, room) },
    to: {
      path: `^src/${module}/`,
      pathNot: [shared(module), ...[room, ...allowed].map((name) => filesOf(module, name))],
    },
  })),
  {
    name: `${module.replace('/', '-')}-shared-imports`,
    comment:
      'What all rooms rest on rests on none of them; a room that the table does not name may see nothing.',
    severity: 'error',
    from: {
      path: `^src/${module}/`,
      pathNot: [
        // What is the module's own and not seen by its rooms lies above them.
        `^src/${module}/(?![^/]+\\.(types|pure|errors)\\.ts$)[^/]+\\.ts$`,
        ...Object.keys(table).map((room) => filesOf(module, room)),
      ],
    },
    to: { path: `^src/${module}/`, pathNot: shared(module) },
  },
]);

export default {
  forbidden: [
    ...rooms,
    ...roomsInside,
    {
      name: 'unlisted-room',
      comment:
        'A folder that the table does not name has no rules; add it to MAY_IMPORT before it imports anything.',
      severity: 'error',
      from: {
        path: '^src/(modules/[^/]+|[^/]+)/',
        pathNot: Object.keys(MAY_IMPORT).map((room) => `^src/${room}/`),
      },
      to: { path: '^src/', pathNot: '^src/$1/' },
    },
    {
      name: 'public-files-only',
      comment:
        'Across modules only <m>.module, .service, .types, .pure, .errors and .http: an entity or an inner file that ' +
        'others import cannot be changed any more without them.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: '/data/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', PUBLIC_FILE] },
    },
    {
      name: 'public-files-only-in-data',
      comment:
        'The same for data/, which may also build parts of statements into its own that another module’s data/ holds ' +
        'for that (`*.shared.sql.ts`).',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/.*\\bdata/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', PUBLIC_FILE, SHARED_SQL] },
    },
    {
      name: 'public-files-only-from-outside',
      comment:
        'The same for the application root and the command line, which are nobody’s inner rooms either.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/' },
      to: { path: '^src/modules/', pathNot: PUBLIC_FILE },
    },
    {
      name: 'nothing-needs-the-sandbox',
      comment:
        'Production starts without the sandbox, so only app.start.ts, which decides, and the command line know it.',
      severity: 'error',
      from: { path: '^src/', pathNot: NOT_SANDBOX },
      to: { path: '^src/modules/sandbox/' },
    },
    {
      name: 'mail-has-a-budget',
      comment:
        'Whoever sends by the Mailer counts what each mailbox gets: MailOutbox does, and alerts. All others use MailOutbox.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(platform|modules/alerts)/' },
      to: { path: '^src/platform/mail/mailer\\.ts$' },
    },
    {
      name: 'rows-are-in-data',
      comment:
        'One way to reach a table: data/ reads and writes its rows, and a module names the entity to TypeORM.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '(/data/|\\.module\\.ts$|\\.spec\\.ts$)' },
      to: { path: '\\.entity\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-core',
      comment:
        'kernel/, domain/ and *.pure.ts decide about money: without frameworks and I/O they are tested whole, in seconds.',
      severity: 'error',
      from: { path: PURE },
      to: { path: ['node_modules/(@nestjs/|typeorm/|pg/)', '^(@nestjs/|typeorm$|typeorm/|pg$)'] },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client runs on a merchant’s server: it knows the contract, and nothing else of ours.',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/client/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'loaded-when-needed',
      comment:
        'Every start and every command pays for what is imported at the top of a file. These packages are large and ' +
        'most starts never need them: `await import()` where they are used (docs/ARCHITECTURE.md, "The start").',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: 'node_modules/(@nestjs/swagger|@simplewebauthn/server|nodemailer|qrcode/lib/(index|server))',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tests-stay-out',
      comment:
        'The image is built without test/; the build would take in what is imported from it and say nothing.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'unit-tests-need-no-other-tests',
      comment: '`npm run mutate` tries each change in a copy of the project that has none of these folders.',
      severity: 'error',
      from: { path: ['^src/.*\\.spec\\.ts$', '^test/(chain|model|support)/'] },
      to: { path: '^test/(bench|browser|chaos|e2e|integration)/' },
    },
    {
      name: 'no-circular',
      comment:
        'In a circle no file can be understood first, and ESM hands out bindings that are not initialised yet.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that this tool cannot find escapes every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: who needs to know another's shapes depends on it.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
