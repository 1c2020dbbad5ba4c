import { readFileSync } from 'node:fs';
import { exposedMetrics, type Exposed } from '../support/exposed-metrics.js';

let exposed: Exposed[];
beforeAll(async () => (exposed = await exposedMetrics()));

it('documents every metric of the service with its labels, and no other', () => {
  const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(rappen_\w+)` \|([^|]*)\|/gm);
  const documented = [...rows].map(([, name, cell]) => [
    name,
    [...(cell ?? '').replace(/\(.*\)/, '').matchAll(/`(\w+)`/g)].map(([, label]) => label),
  ]);
  const ours = exposed.filter(({ name }) => name.startsWith('rappen_'));
  expect(documented.sort()).toEqual(ours.map(({ name, labelNames }) => [name, labelNames]).sort());
});
