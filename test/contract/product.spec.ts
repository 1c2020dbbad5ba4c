import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkConfig } from '../../src/config/config.types.js';
import { loadConfig } from '../../src/config/load-config.js';
import { PRESETS } from '../../src/config/networks.js';
import { formatDecimal } from '../../src/kernel/decimal.js';
import { MAX_FIAT_MINOR } from '../../src/kernel/fiat.js';
import { INTENT_STATUSES, NEXT_STATUSES } from '../../src/kernel/intent-status.js';
import {
  CHANGES_NEED,
  MERCHANT_PERMISSIONS,
  type MerchantPermission,
  type Role,
  ROLES,
} from '../../src/modules/accounts/accounts.types.js';
import { ALERT_KINDS } from '../../src/modules/alerts/alerts.types.js';
import { GRACE_MS } from '../../src/modules/chains/chains.types.js';
import { MAX_PAGE_SIZE } from '../../src/modules/intents/api/dto/page-size.js';
import { MAX_RETURN_URL_LENGTH } from '../../src/modules/intents/domain/return-url.js';
import { UNCONFIRMED_LIMIT_MS } from '../../src/modules/intents/domain/transfers.js';
import { WINDOW_MINUTES } from '../../src/modules/intents/domain/window.js';
import { PROBLEM_TYPES } from '../../src/modules/site/problems.types.js';
import { MAX_ENDPOINTS_PER_MERCHANT } from '../../src/modules/webhooks/webhooks.service.js';

const documentOf = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../docs', `${name}.md`), 'utf8');
const PRODUCT = documentOf('product');

/** The rows under a table's head, wherever it stands, cell by cell. */
function table(head: string, document = PRODUCT): string[][] {
  const [, ...tables] = document.split(`\n${head}\n`);
  if (tables.length === 0) throw new Error(`no table ${head}`);
  return tables
    .map((after) => after.split('\n\n')[0]!.trimEnd().split('\n').slice(1))
    .flat()
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What stands in backquotes. */
const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

it('has every status, and what each may become', () => {
  const written = table('| Status | Means | May become |').map(([status, , next]) => [
    named(status)[0],
    named(next),
  ]);
  expect(written).toEqual(INTENT_STATUSES.map((status) => [status, NEXT_STATUSES[status]]));
});

it('has every network with its assets, depths and blocks', () => {
  const row = ({
    name,
    assets,
    confirmationDepth,
    settlementDepths,
    blockIntervalS,
  }: Omit<NetworkConfig, 'rpcUrl'>) => [
    name,
    assets.map(({ symbol }) => symbol).join(', '),
    String(confirmationDepth),
    settlementDepths.join(', '),
    `${blockIntervalS} s`,
  ];
  expect(table('| Network | Assets | Confirmed | Settled | Block |')).toEqual(PRESETS.map(row));
});

it('tells the operator of every kind of alert, by a name that the database takes', () => {
  const told = table('| Kind | Raised when | Over when |', documentOf('operations'));
  expect(told.map(([kind]) => named(kind)[0])).toEqual(ALERT_KINDS);
  for (const kind of ALERT_KINDS) expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

it('has the grace times', () => {
  const minutes = (family: keyof typeof GRACE_MS) => `${GRACE_MS[family] / 60_000} min`;
  expect(GRACE_MS.litecoin).toBe(GRACE_MS.bitcoin);
  expect(table('| Kind of network | Grace |')).toEqual([
    ['EVM', minutes('evm')],
    ['Bitcoin, Litecoin', minutes('bitcoin')],
  ]);
});

it('has every problem with its status', () => {
  const written = table('| Status | `code` |').flatMap(([status, codes]) =>
    named(codes).map((code) => [code, Number(status)]),
  );
  expect(written).toEqual(Object.entries(PROBLEM_TYPES).map(([code, { status }]) => [code, status]));
});

it('has the limits', () => {
  const local = { databaseUrl: 'postgres://localhost/x', secretKey: Buffer.alloc(32), networks: [] };
  const { rateLimits } = loadConfig({}, local);
  expect(Object.fromEntries(table('| Limit | Value |'))).toEqual({
    'Payment window': `${WINDOW_MINUTES} min`,
    'Largest amount': formatDecimal(MAX_FIAT_MINOR, 2),
    '`returnUrl`': `${MAX_RETURN_URL_LENGTH} characters`,
    '`pageSize`': String(MAX_PAGE_SIZE),
    'Webhook endpoints of a merchant': String(MAX_ENDPOINTS_PER_MERCHANT),
    'Reads of a key': `${rateLimits.readsPerMinute} a minute`,
    'Writes of a key': `${rateLimits.writesPerMinute} a minute`,
    'Failed authentications of an address': `${rateLimits.failedAuthPerMinute} a minute`,
    'Unconfirmed after the window': `${UNCONFIRMED_LIMIT_MS / 3_600_000} h`,
  });
});

it('has what each role may do, and what a change needs', () => {
  const row = (permission: MerchantPermission) => {
    const roles: readonly Role[] = MERCHANT_PERMISSIONS[permission];
    const need = CHANGES_NEED[permission];
    return [
      permission,
      ...ROLES.map((role) => (roles.includes(role) ? 'yes' : '')),
      need === 'never' ? '' : need,
    ];
  };
  const written = table('| Permission | Owner | Developer | Reviewer | Read-only | A change needs |');
  const byName = (rows: (string | undefined)[][]) => rows.sort(([a = ''], [b = '']) => a.localeCompare(b));
  expect(byName(written.map(([permission, ...cells]) => [named(permission)[0], ...cells]))).toEqual(
    byName((Object.keys(MERCHANT_PERMISSIONS) as MerchantPermission[]).map(row)),
  );
});

it('leads to places that are there', () => {
  const anchors = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\d -]/gu, '')
        .replaceAll(' ', '-'),
    );
  const docs = join(import.meta.dirname, '../../docs');
  for (const [, target = ''] of PRODUCT.matchAll(/\]\(([^)]+)\)/g)) {
    if (target.startsWith('https:')) continue;
    const [path = '', anchor] = target.split('#');
    const text = path === '' ? PRODUCT : path === 'adr' ? '' : readFileSync(join(docs, path), 'utf8');
    if (anchor !== undefined)
      expect([target, anchors(text)]).toEqual([target, expect.arrayContaining([anchor])]);
  }
});
