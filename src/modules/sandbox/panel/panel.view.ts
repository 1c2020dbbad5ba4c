import { wireText } from '../../../kernel/crypto-amount.js';
import { trimZeros } from '../../../kernel/decimal.js';
import { formatFiat } from '../../../kernel/fiat.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { panelPath, payPath } from '../../intents/checkout-paths.pure.js';
import type { ScenarioRun } from '../scenario-run.types.js';
import { SCENARIO_NAMES, type ScenarioName, SCENARIOS } from '../scenarios.pure.js';
import type { Course, Outcome } from '../scenarios.types.js';

export interface PanelRow {
  readonly name: ScenarioName;
  readonly summary: string;
  /** Where its button posts to; `null` where it cannot be played, here or now. */
  readonly action: string | null;
  /** What comes of it, or why it is not possible. */
  readonly note: string;
}

/** The page as strings and booleans; `sandbox/panel` draws it. */
export interface PanelPage {
  readonly documentTitle: string;
  readonly total: string;
  readonly standing: string;
  readonly notice: string | null;
  readonly run: {
    readonly title: string;
    readonly steps: readonly string[];
    readonly problem: string | null;
  } | null;
  readonly scenarios: readonly PanelRow[];
  readonly endWindowAction: string | null;
  readonly checkoutHref: string;
  readonly assets: { readonly css: string; readonly favicon: string };
}

export interface PanelOptions {
  readonly run: ScenarioRun | null;
  /** Why the scenario that was asked for was not begun. */
  readonly refusal: string | null;
  readonly courseOf: (name: ScenarioName) => Course | null;
  readonly isPlayable: (name: ScenarioName) => boolean;
  readonly assets: PanelPage['assets'];
}

const OPEN: readonly string[] = ['initiated', 'pending', 'confirmed'];
const RUN_TITLES = { running: 'is running', done: 'is done', failed: 'did not work' } as const;

/** Pure: the page of an intent. */
export function panelView(intent: CheckoutIntent, options: PanelOptions): PanelPage {
  const { id, currency, amountMinor } = intent;
  const total = `${currency}\u00a0${formatFiat(amountMinor)}`;
  const { run, refusal, courseOf, isPlayable, assets } = options;
  return {
    documentTitle: `Test payment of ${total}`,
    total,
    standing: standing(intent),
    notice: refusal,
    run: run && { title: `${run.scenario} ${RUN_TITLES[run.state]}`, steps: run.steps, problem: run.problem },
    scenarios: SCENARIO_NAMES.map((name) => row(id, name, courseOf(name), isPlayable(name))),
    endWindowAction: OPEN.includes(intent.status) ? panelPath(id, 'end-window') : null,
    checkoutHref: payPath(id),
    assets,
  };
}

function standing({ status, quote }: CheckoutIntent): string {
  if (!quote) return `The payment is ${status}. Pick an asset at the checkout first.`;
  const missing = `${trimZeros(wireText(quote.missing))}\u00a0${quote.asset} on ${quote.networkName}`;
  return `The payment is ${status}, and ${quote.complete ? 'nothing' : missing} is missing.`;
}

function row(id: string, name: ScenarioName, course: Course | null, playable: boolean): PanelRow {
  const { summary } = SCENARIOS[name];
  if (!course) return { name, summary, action: null, note: '' };
  if ('impossible' in course) {
    return { name, summary, action: null, note: `Not possible here: ${course.impossible}.` };
  }
  const action = playable ? panelPath(id, name) : null;
  return { name, summary, action, note: outcomeText(course.outcome) };
}

/** "Ends as expired when the window ends, with a review entry (underpaid)." */
function outcomeText({ statuses, whenWindowEnds, review }: Outcome): string {
  const when = whenWindowEnds ? ' when the window ends' : '';
  const queue = review ? `, with a review entry (${review})` : '';
  return `Ends as ${statuses.at(-1)}${when}${queue}.`;
}
