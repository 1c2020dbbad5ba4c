import { visibleText } from '../../../kernel/visible-text.js';
import type { AuditEntry, AuditFilter } from '../../accounts/accounts.types.js';
import { pathWith } from '../domain/safe-path.js';
import { moment } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import type { Tab } from './tabs.js';

export interface AuditPage {
  readonly tabs: readonly Tab[];
  /** One more than a page when there are older ones. */
  readonly entries: readonly AuditEntry[];
  /** What can be filtered by. */
  readonly known: { readonly actors: readonly string[]; readonly actions: readonly string[] };
  readonly filter: AuditFilter;
  readonly before: string | null;
  readonly pageSize: number;
}

export function auditView({ tabs, entries, known, filter, before, pageSize }: AuditPage): PageModel {
  const shown = entries.slice(0, pageSize);
  const last = entries.length > pageSize ? shown.at(-1) : undefined;
  const query = { person: filter.actor, action: filter.action };
  const isFiltered = filter.actor !== null || filter.action !== null;
  return {
    title: 'Settings',
    tabs,
    isFiltered,
    people: choices(known.actors, filter.actor),
    actions: choices(known.actions, filter.action),
    isEmpty: shown.length === 0,
    entries: shown.map(({ at, actor, action, subject, detail, address }) => ({
      at: moment(at),
      actor: visibleText(actor),
      address,
      action: actionText(action),
      subject: visibleText(subject),
      details: detailLines(detail),
    })),
    newest: before === null ? null : pathWith(pathTo('audit'), query),
    older: last ? pathWith(pathTo('audit'), { ...query, before: last.id }) : null,
  };
}

/** "webhook.created" → "webhook created": a thing and a verb in the past read well enough as they are. */
function actionText(action: string): string {
  return action.replaceAll('.', ' ').replaceAll('-', ' ');
}

function choices(values: readonly string[], chosen: string | null) {
  const all = chosen === null || values.includes(chosen) ? values : [...values, chosen];
  return all.map((value) => ({ value, text: visibleText(value), isChosen: value === chosen }));
}

/** A change as "tolerance: 0 → 50", anything else as "label: Shop". */
export function detailLines(detail: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (name !== 'changes') return value === null || value === false ? [] : [`${name}: ${valueText(value)}`];
    return Object.entries(value as Record<string, [unknown, unknown]>).map(
      ([path, [before, after]]) => `${path}: ${valueText(before)} → ${valueText(after)}`,
    );
  });
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
}
