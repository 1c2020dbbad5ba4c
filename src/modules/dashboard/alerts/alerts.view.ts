import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Alert, AlertPage } from '../../alerts/alerts.types.js';
import { pageNumber, paging } from '../domain/paging.js';
import { withShortIds } from '../domain/shortened.js';
import { moment } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { StatusLabel } from '../payments/messages.js';
import type { PageModel } from '../session/request-context.js';
import { alertPath } from './alert-path.js';

const PAGE_SIZE = 20;

/** What a query asks to see; without a word the open ones. */
export interface AlertsQuery {
  readonly open: boolean;
  readonly page: number;
  readonly pageSize: number;
}

export function readAlertsQuery(query: Readonly<Record<string, unknown>>): AlertsQuery {
  return { open: query['show'] !== 'all', page: pageNumber(query['page']), pageSize: PAGE_SIZE };
}

/** The form of an alert: of a merchant's, or of the operator's. */
export type Acknowledge = 'acknowledgeAlert' | 'acknowledgeOperatorAlert';

/**
 * @param path of the list: a merchant's or the operator's
 * @param acknowledge `null` for whoever may not
 */
export function alertsView(
  say: Say,
  path: string,
  { items, total }: AlertPage,
  { open, page, pageSize }: AlertsQuery,
  acknowledge: Acknowledge | null,
  typed: { readonly id: string; readonly note: string } | null = null,
): PageModel {
  const show = open ? null : 'all';
  return {
    title: say('Alerts'),
    path,
    allPath: `${path}?show=all`,
    showsOpen: open,
    alerts: items.map((alert) => ({
      ...alertRow(say, alert, acknowledge),
      noteId: `note-${alert.id}`,
      typed: typed?.id === alert.id ? typed.note : '',
    })),
    paging: paging(say, path, { show }, { page, pageSize, total }),
  };
}

function alertRow(say: Say, alert: Alert, acknowledge: Acknowledge | null) {
  const { id, summary, detail, raisedAt, resolvedAt, mailedAt, postedAt } = alert;
  const { acknowledgedAt, acknowledgedBy, acknowledgedNote } = alert;
  const isOpen = resolvedAt === null && acknowledgedAt === null;
  return {
    id,
    state: stateOf(say, alert),
    summary: withShortIds(visibleText(say.told(summary))),
    detail: withShortIds(visibleText(say.told(detail))),
    about: alertPath(alert),
    raised: moment(raisedAt),
    resolved: resolvedAt && moment(resolvedAt),
    known: acknowledgedAt && {
      by: visibleText(acknowledgedBy ?? ''),
      at: moment(acknowledgedAt),
      note: acknowledgedNote === null ? null : visibleText(acknowledgedNote),
    },
    sent: [...(mailedAt ? [say('mailed')] : []), ...(postedAt ? [say('posted to the webhook')] : [])].join(
      ', ',
    ),
    acknowledgePath: isOpen && acknowledge ? pathTo(acknowledge, id) : null,
  };
}

function stateOf(say: Say, { resolvedAt, acknowledgedAt }: Alert): StatusLabel {
  if (resolvedAt !== null) return { text: say('over|of an alert'), tone: 'good' };
  return acknowledgedAt === null
    ? { text: say('open|of an alert'), tone: 'bad' }
    : { text: say('known|of an alert'), tone: 'warn' };
}
