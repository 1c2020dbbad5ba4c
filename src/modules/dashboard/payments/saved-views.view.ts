import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { MAX_VIEW_NAME_CHARS, type SavedView } from '../../accounts/accounts.types.js';
import type { Form } from '../domain/form.js';
import type { PlainText } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { PageModel } from '../session/request-context.js';
import { NAMES, type PaymentsQuery, readPaymentsQuery, savedPath, SHOWN } from './filter.js';
import { type AssetChoice, TABS } from './list.view.js';

type Name = (typeof NAMES)[number];

/** As the list itself calls them. */
const LABELS = {
  show: 'Which payments',
  q: 'Search',
  status: 'Status',
  asset: 'Paid with',
  from: 'From (UTC)',
  to: 'To (UTC)',
  min: 'At least',
  max: 'At most',
  currency: 'Currency',
} as const satisfies Record<Name, PlainText>;

/** What a form holds of a list's query. */
export function parametersOf(form: Form): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, form.text(name)]));
}

export function newSavedView(
  say: Say,
  { parameters, problems }: PaymentsQuery,
  assets: readonly AssetChoice[],
  typed: string,
): PageModel {
  return {
    title: say('Save this view'),
    problem: problems.length > 0 ? problems.map((problem) => say(problem)).join(' ') : null,
    facts: factsOf(say, parameters, assets),
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    typed,
    maxName: MAX_VIEW_NAME_CHARS,
    back: savedPath({ parameters }),
  };
}

export function savedView(say: Say, view: SavedView, assets: readonly AssetChoice[]): PageModel {
  return {
    title: visibleText(view.name),
    facts: factsOf(say, readPaymentsQuery(view.parameters).parameters, assets),
    id: view.id,
    typed: view.name,
    maxName: MAX_VIEW_NAME_CHARS,
    back: savedPath(view),
  };
}

/** What is looked for, in the words of the list. */
function factsOf(say: Say, parameters: PaymentsQuery['parameters'], assets: readonly AssetChoice[]) {
  const { show = '' } = parameters;
  const values: Readonly<Record<string, string>> = { ...parameters, show };
  return NAMES.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ label: say(LABELS[name]), value: visibleText(valueText(say, name, value, assets)) }];
  });
}

function valueText(say: Say, name: Name, value: string, assets: readonly AssetChoice[]): string {
  if (name === 'show') return say(TABS[SHOWN.find((one) => one === value) ?? '']);
  const status = INTENT_STATUSES.find((one) => name === 'status' && one === value);
  if (status) return say(status);
  return (name === 'asset' && assets.find((asset) => asset.value === value)?.text) || value;
}
