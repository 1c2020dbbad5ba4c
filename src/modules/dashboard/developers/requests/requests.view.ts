import { visibleText } from '../../../../kernel/text/visible-text.js';
import type { RequestPage, RequestView } from '../../../auth/auth.types.js';
import { pathWith } from '../../domain/safe-path.js';
import { withShortIds } from '../../domain/shortened.js';
import { moment } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import { tabs } from '../tabs.js';
import { METHODS, type RequestsQuery, STATUSES } from './requests-query.js';

export function requestsView(
  say: Say,
  { filter, typed, problem }: RequestsQuery,
  page: RequestPage,
): PageModel {
  return {
    title: say('Requests'),
    tabs: tabs(say, 'requests'),
    problem: problem && say(problem),
    trace: typed.trace,
    statuses: STATUSES.map(({ value, text }) => ({
      value,
      text: text === null ? value : say(text),
      isChosen: value === typed.status,
    })),
    methods: METHODS.map((value) => ({ value, isChosen: value === typed.method })),
    isFiltered: Object.values(typed).some((value) => value !== ''),
    rows: page.items.map((item) => rowView(say, item)),
    newest: filter.before === null ? null : pathWith(pathTo('requests'), typed),
    older: page.next === null ? null : pathWith(pathTo('requests'), { ...typed, before: page.next }),
    hasPages: filter.before !== null || page.next !== null,
  };
}

function rowView(say: Say, item: RequestView) {
  const { at, method, path, status, problem, traceId, durationMs, intentId, keyLabel } = item;
  return {
    method,
    path,
    shownPath: withShortIds(path),
    traceId,
    at: moment(at),
    status: status === null ? say('client left') : String(status),
    tone: status === null ? 'quiet' : status < 400 ? 'good' : status < 500 ? 'warn' : 'bad',
    problem,
    problemPath: `/problems/${problem}`,
    ms: durationMs,
    key: keyLabel === null ? null : visibleText(keyLabel),
    payment: intentId,
    paymentPath: intentId && pathTo('payment', intentId),
  };
}
