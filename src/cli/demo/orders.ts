import type { Currency } from '../../kernel/fiat.js';
import type { IntentStatus } from '../../kernel/intent-status.js';
import { entryAt } from '../../kernel/lookups.js';
import type { ReviewReason } from '../../modules/intents/reviews.types.js';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { type ScenarioName, SCENARIOS } from '../../modules/sandbox/scenarios.pure.js';
import type { Course, NetworkKind } from '../../modules/sandbox/scenarios.types.js';
import type { Choice } from '../pay/checkout-client.js';

/** What becomes of an order where nobody plays a whole scenario. */
const DEMO_SCENARIOS = {
  /** The buyer opens the checkout and goes away. */
  unpicked: { ends: 'initiated', review: null },
  /** … picks an asset and looks for the wallet. */
  picked: { ends: 'initiated', review: null },
  /** … and never comes back. */
  unpaid: { ends: 'expired', review: null },
  /** … and changes their mind. */
  'called-off': { ends: 'cancelled', review: null },
  /** Half has arrived, and there is time for the rest. */
  part: { ends: 'pending', review: null },
  /** Half has arrived, and the merchant cancels. */
  'part-called-off': { ends: 'cancelled', review: 'cancelled' },
  /** A payment that a reorganisation undid, and money for it when it has failed. */
  'lost-and-paid': { ends: 'failed', review: 'failed' },
  /** Paid a moment ago; played last, because it settles within seconds. */
  'just-paid': { ends: 'confirmed', review: null },
} as const satisfies Record<string, { ends: IntentStatus; review: ReviewReason | null }>;

export type DemoScenario = keyof typeof DEMO_SCENARIOS;
export type OrderScenario = ScenarioName | DemoScenario;

/** What the shop does about money that waits for a decision, once it is final. */
export type Decision = 'accept' | 'refund' | 'dismiss';

export interface Order {
  readonly title: string;
  /** As the API takes it. */
  readonly amount: number;
  readonly currency: Currency;
  readonly choice: Choice;
  readonly scenario: OrderScenario;
  readonly decision: Decision | null;
}

type Line = readonly [
  title: string,
  amount: number,
  currency: Currency,
  paidWith: string,
  scenario: OrderScenario,
  decision?: Decision,
];

/** The first dozen shows every status and every reason for a review that can be played. */
const LINES: readonly Line[] = [
  ['Fondue caquelon, cast iron, red', 89, 'CHF', 'USDC@ethereum', 'exact'],
  ['Coffee subscription, 3 months', 74.7, 'CHF', 'ETH@ethereum', 'short'],
  ['Hand-carved cheese board', 58.5, 'EUR', 'USDC@ethereum', 'lost-and-paid'],
  ['Alpine honey, 3 × 500 g', 42, 'CHF', 'USDT@ethereum', 'late'],
  ['Merino blanket, grey', 149, 'EUR', 'USDC@ethereum', 'double'],
  ['Enamel mug, 2 pieces', 31.8, 'CHF', 'USDC@ethereum', 'part-called-off'],
  ['Leather notebook A5', 39, 'USD', 'USDT@ethereum', 'wrong-token'],
  ['Gift card CHF 100', 100, 'CHF', 'ETH@ethereum', 'part'],
  ['Wall calendar “Alps”', 24.9, 'CHF', 'USDC@ethereum', 'called-off'],
  ['Swiss army knife, engraved', 67.5, 'CHF', 'USDC@ethereum', 'unpaid'],
  ['Raclette set for four', 119, 'CHF', 'USDT@ethereum', 'picked'],
  ['Chef’s knife, 20 cm', 189, 'EUR', 'ETH@ethereum', 'just-paid'],
  ['Espresso beans “Nordwand”, 1 kg', 34.5, 'CHF', 'LTC@litecoin', 'exact'],
  ['Walnut desk lamp', 219, 'EUR', 'USDC@ethereum', 'exact'],
  ['Chocolate assortment, large', 48, 'CHF', 'USDC@polygon', 'exact'],
  ['Pepper mill, ash wood', 54, 'EUR', 'ETH@ethereum', 'internal'],
  ['Ceramic teapot, 1.2 l', 72.9, 'CHF', 'USDT@ethereum', 'split'],
  ['Cotton tote bag', 18, 'CHF', 'POL@polygon', 'exact'],
  ['Mountain bike service, complete', 285, 'CHF', 'USDC@ethereum', 'short', 'accept'],
  ['Weekend rucksack, 28 l', 164, 'EUR', 'LTC@litecoin', 'fee-bump'],
  ['Wool socks, 3 pairs', 36, 'CHF', 'ETH@ethereum', 'over'],
  ['Travel chess, magnetic', 29.9, 'USD', 'USDC@polygon', 'exact'],
  ['Watch strap, brown, 20 mm', 45, 'CHF', 'USDC@ethereum', 'late', 'accept'],
  ['Handmade soap, 6 pieces', 27.6, 'EUR', 'USDT@ethereum', 'exact'],
  ['Cuckoo clock, small', 1_290, 'CHF', 'ETH@ethereum', 'exact'],
  ['Postcards, set of 20', 16, 'CHF', 'USDC@ethereum', 'wrong-network'],
  ['Snowshoes, pair', 178, 'CHF', 'USDC@ethereum', 'double', 'refund'],
  ['Bread baking course, one person', 135, 'CHF', 'USDT@ethereum', 'exact'],
  ['Grand piano lamp', 310, 'USD', 'USDC@ethereum', 'reorg'],
  ['Cheese subscription, 12 months', 468, 'CHF', 'LTC@litecoin', 'late'],
  ['Bicycle bell, brass', 22, 'EUR', 'POL@polygon', 'short', 'dismiss'],
  ['Herbal tea, sampler', 19.5, 'CHF', 'LTC@litecoin', 'replaced'],
  ['Oak dining table, 200 cm', 12_400, 'CHF', 'USDC@ethereum', 'exact'],
  ['Linen tablecloth, 2 m', 84, 'EUR', 'ETH@ethereum', 'unpaid'],
  ['Salt lamp', 33, 'USD', 'USDC@ethereum', 'unpicked'],
  ['Jigsaw “Matterhorn”, 1,000 pieces', 29, 'CHF', 'LTC@litecoin', 'part'],
  ['Thermos, 0.75 l', 38, 'CHF', 'USDT@ethereum', 'exact'],
  ['Down jacket, size M', 259, 'EUR', 'USDC@ethereum', 'exact'],
  ['Kirsch, 0.5 l', 44, 'CHF', 'USDC@polygon', 'called-off'],
  ['Apprentice’s workbench', 640, 'CHF', 'LTC@litecoin', 'just-paid'],
];

/** As many as there are different ones; more begin again from the first. */
export const DEFAULT_COUNT = LINES.length;

type Networks = SandboxFile['networks'];

/** @returns the first `count` orders, each payable with what this sandbox has */
export function ordersFor(count: number, networks: Networks): Order[] {
  return Array.from({ length: count }, (_, at) => orderOf(entryAt(LINES, at % LINES.length), networks));
}

function orderOf([title, amount, currency, paidWith, scenario, decision]: Line, networks: Networks): Order {
  const [asset = '', network = ''] = paidWith.split('@');
  // Litecoin needs its node. What is told of it there can be told of a token too.
  const choice = network in networks ? { asset, network } : { asset: 'USDC', network: 'ethereum' };
  return { title, amount, currency, choice, scenario, decision: decision ?? null };
}

/** What it comes to before anybody decides about it. @throws when it cannot be played with that asset */
export function endOf({ scenario, choice }: Order, networks: Networks) {
  if (isDemoScenario(scenario)) return { ...DEMO_SCENARIOS[scenario], before: null };
  const course: Course = SCENARIOS[scenario].courses[kindOf(choice, networks)];
  if ('impossible' in course) throw new Error(`${scenario} with ${choice.asset}: ${course.impossible}`);
  const { statuses, review, whenWindowEnds } = course.outcome;
  const before = whenWindowEnds ? (statuses.at(-2) ?? null) : null;
  return { ends: entryAt(statuses, -1), review, before };
}

export function isDemoScenario(scenario: OrderScenario): scenario is DemoScenario {
  return Object.hasOwn(DEMO_SCENARIOS, scenario);
}

function kindOf({ asset, network }: Choice, networks: Networks): NetworkKind {
  if (network !== 'ethereum' && network !== 'polygon') return 'bitcoin-like';
  return networks[network].coin === asset ? 'evm-coin' : 'evm-token';
}
