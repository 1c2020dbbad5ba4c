import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { type PathName, pathNamed, PATHS, pathTo } from './paths.http.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HERE = 'src/modules/dashboard';

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const templates = filesIn('views', /\.hbs$/);

/** Each `{{pathTo …}}` of a template: the name that it gives, and how many ids. */
function pathsIn(template: string): { name: unknown; ids: number }[] {
  const found: { name: unknown; ids: number }[] = [];
  class Calls extends Handlebars.Visitor {
    override MustacheStatement(call: hbs.AST.MustacheStatement): void {
      if ((call.path as hbs.AST.PathExpression).original === 'pathTo') {
        const [name, ...ids] = call.params;
        found.push({ name: (name as hbs.AST.StringLiteral | undefined)?.value, ids: ids.length });
      }
      super.MustacheStatement(call);
    }
  }
  new Calls().accept(Handlebars.parse(template));
  return found;
}

it('fills in an id, which stays inside its part of the path', () => {
  expect(pathTo('payments')).toBe('/dashboard/payments');
  expect(pathTo('cancelPayment', 'pi_1')).toBe('/dashboard/payments/pi_1/cancel');
  expect(pathTo('webhook', '../x?y')).toBe('/dashboard/developers/webhooks/..%2Fx%3Fy');
});

it('refuses a name that it does not know, a missing id, and one too many', () => {
  expect(() => pathNamed('toString')).toThrow('the dashboard has no path "toString"');
  expect(() => pathNamed('payment')).toThrow('/dashboard/payments/:id takes one id, or none');
  expect(() => pathNamed('payments', 'pi_1')).toThrow('/dashboard/payments takes one id, or none');
});

it('knows every path that a template names, with its id', () => {
  expect(pathsIn(`<a href="{{pathTo 'nowhere' id}}">`)).toEqual([{ name: 'nowhere', ids: 1 }]);
  const named = templates.flatMap((file) => pathsIn(read(file)).map((call) => ({ file, ...call })));
  expect(named.length).toBeGreaterThan(50);
  const wrong = named.filter(
    ({ name, ids }) =>
      typeof name !== 'string' ||
      !Object.hasOwn(PATHS, name) ||
      ids !== (PATHS[name as PathName].includes(':') ? 1 : 0),
  );
  expect(wrong).toEqual([]);
});

it('is the only place that spells a path of the dashboard, whole or what stands below another: elsewhere take `pathTo`', () => {
  expect(spelledIn('src/x.ts', "go('/dashboard/x')")).toHaveLength(1);
  expect(spelledIn('views/x.hbs', '<form action="{{path}}/rotate">')).toHaveLength(1);
  expect(spelledIn(`${HERE}/x.ts`, 'go(`${scope.path}/${id}/acknowledge`)')).toHaveLength(1);
  const sources = filesIn('src', /\.ts$/).filter((file) => !/\.spec\.ts$|\/paths\.http\.ts$/.test(file));
  const files = [...sources, ...filesIn('public', /\.js$/), ...templates];
  expect(files.flatMap((file) => spelledIn(file, read(file)))).toEqual([]);
});

/** Lines that say "/dashboard…", or that set something below another path: `"{{path}}/…"` in a template, `${path}/…` in code. */
function spelledIn(file: string, text: string): string[] {
  const below = file.endsWith('.hbs') ? /="\{\{[^}]*\}\}\/[\w{]/ : /\$\{[^}]*path[^}]*\}\//i;
  const isOurs = file.endsWith('.hbs') || file.startsWith(HERE);
  return text
    .split('\n')
    .flatMap((line, i) =>
      /(?:['"`}]|\/\^\\)\/dashboard\b/.test(line) || (isOurs && below.test(line))
        ? [`${file}:${i + 1} ${line}`]
        : [],
    );
}
