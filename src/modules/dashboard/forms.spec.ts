import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const VIEWS = join(import.meta.dirname, '..', '..', '..', 'views');
const templates = ['dashboard', 'sign-in', 'partials/dashboard', 'partials/sign-in'].flatMap((folder) =>
  readdirSync(join(VIEWS, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.hbs'))
    .map((file) => join(folder, file)),
);

/** Controls of forms that change something, which are not drawn as `{{#field}}`: what is wrong would not stand beside them. */
function bareControls(template: string): string[] {
  const forms = template.match(/<form [^>]*method="post".*?<\/form>/gs) ?? [];
  return forms
    .map((form) => form.replaceAll(/\{\{#field .*?\{\{\/field\}\}/gs, ''))
    .flatMap((form) => form.match(/<(?:input|select|textarea)\b[^>]*/g) ?? [])
    .filter((control) => !/type="hidden"| readonly/.test(control));
}

const hasForm = (template: string) => /<form [^>]*method="post"/.test(template);

it('finds a control that is no field', () => {
  expect(
    bareControls('<form method="post"><input name="a">{{#field \'b\'}}<input>{{/field}}</form>'),
  ).toEqual(['<input name="a"']);
});

it('every page with a form has a place above for what belongs to no field', () => {
  const silent = templates.filter((file) => {
    const text = readFileSync(join(VIEWS, file), 'utf8');
    return (
      !file.startsWith('partials') &&
      hasForm(text) &&
      !/\{\{> dashboard\/(notices|said|refused)\}\}/.test(text)
    );
  });
  expect(silent).toEqual([]);
});

it('every control of every form is a field, which says beside it what is wrong', () => {
  expect(templates.length).toBeGreaterThan(60);
  const bare = templates.flatMap((file) =>
    bareControls(readFileSync(join(VIEWS, file), 'utf8')).map((control) => `${file}: ${control}`),
  );
  expect(bare).toEqual([]);
});
