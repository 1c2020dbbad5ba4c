import { existsSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { PRODUCT } from '../../../src/app.product.js';
import { PLATFORM_SECURITY_EVENTS } from '../../../src/platform/observability/security-log.js';
import { type Exposed, exposedMetrics } from '../../support/service/exposed-metrics.js';

const read = (name: string): string => readFileSync(`docs/deploy/${name}`, 'utf8');
const yaml = <T>(name: string): T => load(read(name)) as T;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets: readonly { readonly expr: string }[];
}

let exposed: Exposed[];
beforeAll(async () => (exposed = await exposedMetrics()));

/** Added by Prometheus itself. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];
const FUNCTIONS =
  /^(sum|max|min|rate|increase|histogram_quantile|time|count|topk|by|or|min_over_time|humanizeDuration)$/;

/** What of a query the service does not have: metrics, and labels of the metrics that it names. */
function unknownIn(expr: string): string[] {
  const metrics: Exposed[] = [];
  const unknown: string[] = [];
  const bare = expr.replace(/"[^"]*"/g, '""').replace(/\$\w+/g, '5m');
  for (const [word] of bare
    .replace(/\{[^}]*\}|by \([^)]*\)|\[[^\]]*\]/g, '')
    .matchAll(/\b[a-z_][a-z_0-9]*\b/g)) {
    if (FUNCTIONS.test(word) || word === 'up') continue;
    const metric = exposed.find(
      ({ name, type }) => name === word || (type === 'histogram' && word === `${name}_bucket`),
    );
    if (metric) metrics.push(metric);
    else unknown.push(word);
  }
  const labels = [
    ...[...bare.matchAll(/([a-z_]+)(?==|!=)(?=[=!]~?"")/g)].map(([, label]) => label!),
    ...[...bare.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((l) => l.trim())),
  ];
  const known = [...OF_PROMETHEUS, ...metrics.flatMap(({ labelNames }) => labelNames)];
  return [...unknown, ...labels.filter((label) => !known.includes(label))];
}

it('documents every metric of the service with its labels, and no other', () => {
  const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(rappen_\w+)` \|([^|]*)\|/gm);
  const documented = [...rows].map(([, name, cell]) => [
    name,
    [...(cell ?? '').replace(/\(.*\)/, '').matchAll(/`(\w+)`/g)].map(([, label]) => label),
  ]);
  const ours = exposed.filter(({ name }) => name.startsWith('rappen_'));
  expect(documented.sort()).toEqual(ours.map(({ name, labelNames }) => [name, labelNames]).sort());
});

it('notices a metric and a label that do not exist', () => {
  expect(unknownIn('sum by (kind) (rate(rappen_http_requests_total{statsu=~"5.."}[5m])) > 1')).toEqual([
    'statsu',
    'kind',
  ]);
  expect(unknownIn('max(rappen_webhook_backlogs)')).toEqual(['rappen_webhook_backlogs']);
});

it('alerts on nothing but what the service exposes', () => {
  const { groups } = yaml<{ groups: { rules: Rule[] }[] }>('alerts.yml');
  const rules = groups.flatMap((group) => group.rules);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThan(15);
  for (const { alert, expr, for: since, labels, annotations } of rules) {
    expect([alert, unknownIn(expr)]).toEqual([alert, []]);
    expect(since).toMatch(/^\d+[mh]$/);
    expect(['warning', 'critical']).toContain(labels.severity);
    for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(expr).toContain(label);
    expect(annotations.description).not.toBe('');
  }
});

it('alerts on each event of the security log that the documentation says to watch, and on none that there is not', () => {
  const { groups } = yaml<{ groups: { rules: Rule[] }[] }>('alerts.yml');
  const selected = groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ expr }) => [...expr.matchAll(/security_events_total\{event=~?"([^"]*)"/g)])
    .flatMap(([, events]) => events!.split('|'));
  const [, watched = ''] = /\bWatch the rates of\s([^.]*)\./.exec(
    readFileSync('docs/operations.md', 'utf8'),
  )!;
  expect([...new Set(selected)].sort()).toEqual(
    [...watched.matchAll(/`([\w-]+)`/g)].map(([, one]) => one).sort(),
  );
  const events: readonly string[] = [...PLATFORM_SECURITY_EVENTS, ...PRODUCT.securityEvents];
  expect(selected.filter((one) => !events.includes(one))).toEqual([]);
});

it('draws nothing but what the service exposes', () => {
  const { panels } = JSON.parse(read('grafana.json')) as { panels: Panel[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, targets, gridPos } of panels) {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) expect([title, unknownIn(expr)]).toEqual([title, []]);
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  }
});

it('scrapes the port that compose gives the metrics, and has its files', () => {
  const { rule_files: rules, scrape_configs: scrapes } = yaml<{
    rule_files: string[];
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  }>('prometheus.yml');
  const { services } = yaml<{ services: Record<string, { environment: Record<string, string> }> }>(
    'compose.yaml',
  );
  const port = services['rappen']?.environment['METRICS_PORT'];
  expect(scrapes.flatMap((scrape) => scrape.static_configs.flatMap((one) => one.targets))).toEqual([
    `rappen:${port}`,
  ]);
  for (const file of rules) expect(existsSync(`docs/deploy/${file}`)).toBe(true);
});
