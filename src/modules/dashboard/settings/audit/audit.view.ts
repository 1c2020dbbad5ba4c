import { visibleText } from '../../../../kernel/text/visible-text.js';
import type { AuditEntry, AuditFilter } from '../../../accounts/accounts.types.js';
import { pathWith } from '../../domain/safe-path.js';
import { isWholeId } from '../../domain/shortened.js';
import { moment } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import type { Tab } from '../tabs.js';
import { actionText } from './audit-actions.js';
import { detailParts, idsIn, type NetworkName, subjectText } from './audit-details.js';

export interface AuditPage {
  readonly tabs: readonly Tab[];
  /** One more than a page when there are older ones. */
  readonly entries: readonly AuditEntry[];
  /** What can be filtered by. */
  readonly known: { readonly actors: readonly string[]; readonly actions: readonly string[] };
  readonly filter: AuditFilter;
  readonly before: string | null;
  readonly pageSize: number;
  readonly nameOf: NetworkName;
}

export function auditView(say: Say, page: AuditPage): PageModel {
  const { tabs, entries, known, filter, before, pageSize, nameOf } = page;
  const shown = entries.slice(0, pageSize);
  const last = entries.length > pageSize ? shown.at(-1) : undefined;
  const query = { person: filter.actor, action: filter.action };
  const isFiltered = filter.actor !== null || filter.action !== null;
  return {
    title: say('Settings'),
    tabs,
    isFiltered,
    people: choices(known.actors, filter.actor, (actor) => actorText(say, actor)),
    actions: choices(known.actions, filter.action, (action) => actionText(say, action)),
    isEmpty: shown.length === 0,
    entries: shown.map(({ at, actor, action, subject, detail, ip }) => ({
      at: moment(at),
      actor: actorText(say, actor),
      ip,
      action: actionText(say, action),
      ...aboutOf(say, { action, subject }, nameOf),
      details: detailParts(say, { action, detail }, nameOf),
    })),
    ids: idsOf(say, shown),
    newest: before === null ? null : pathWith(pathTo('audit'), query),
    older: last ? pathWith(pathTo('audit'), { ...query, before: last.id }) : null,
  };
}

/** A payment and a refund have pages; what else has an id has it below; anything else is a name already. */
function aboutOf(say: Say, entry: Pick<AuditEntry, 'action' | 'subject'>, nameOf: NetworkName) {
  const { subject } = entry;
  if (!isWholeId(subject)) return { about: subjectText(entry, nameOf), aboutPath: null };
  if (subject.startsWith('pi_')) return { about: say('Payment'), aboutPath: pathTo('payment', subject) };
  if (subject.startsWith('rf_')) return { about: say('Refund'), aboutPath: pathTo('refund', subject) };
  return { about: null, aboutPath: null };
}

/** Ids that the entries are about, for whoever looks one up. */
export function idsOf(say: Say, entries: readonly AuditEntry[]) {
  return entries.flatMap(({ at, action, subject, detail }) =>
    [subject, ...Object.values(detail)]
      .flatMap(idsIn)
      .map((id) => ({ at: moment(at), action: actionText(say, action), id })),
  );
}

/** An address as it is; what stands in a person's place in words. */
function actorText(say: Say, actor: string): string {
  return visibleText(say.told(actor));
}

function choices(values: readonly string[], chosen: string | null, text: (value: string) => string) {
  const all = chosen === null || values.includes(chosen) ? values : [...values, chosen];
  return all.map((value) => ({ value, text: text(value), isChosen: value === chosen }));
}
