import { drawField, drawFolded, type FieldOptions } from './field.js';
import { Refusal } from './refusal.js';

const PLAIN = '<label>E-mail</label><input type="email" value="ann" autofocus><p class="hint">Yours.</p>';
const drawn = (id: string, flaw: string) => `<p id="${id}">${flaw}</p>`;
const draw = (part: string, name: string, options: FieldOptions, refusal: Refusal | null) =>
  drawField(part, name, options, refusal, drawn);
const refused = (flaws: Record<string, string>, path = '/people') => new Refusal(flaws, path, 'All of it.');

it('ties a label, a control and a hint together', () => {
  expect(draw(PLAIN, 'email', {}, null)).toBe(
    '<div class="field"><label for="email">E-mail</label>' +
      '<input id="email" name="email" type="email" value="ann" autofocus aria-describedby="email-hint">' +
      '<p class="hint" id="email-hint">Yours.</p></div>',
  );
});

it('says what is wrong behind the control, to every reader, and begins there', () => {
  const html = draw(PLAIN, 'email', {}, refused({ email: 'Not one.' }));
  expect(html).toContain(' aria-invalid="true" aria-describedby="email-flaw email-hint" autofocus>');
  expect(html).toContain('><p id="email-flaw">Not one.</p><p class="hint"');
});

it('takes the focus away from where the page would have begun', () => {
  const refusal = refused({ password: 'Wrong.' });
  expect(draw(PLAIN, 'email', {}, refusal)).not.toContain('autofocus');
  const next = draw('<label>Password</label><input type="password">', 'password', {}, refusal);
  expect(next).toContain('autofocus');
});

it.each([
  ['<label>Why</label><textarea>a</textarea>', '<textarea id="x" name="x" aria-invalid="true"'],
  ['<label>What</label><select><option>a</option></select>', '<select id="x" name="x" aria-invalid="true"'],
])('says it behind the end of %s', (part, control) => {
  const html = draw(part, 'x', {}, refused({ x: 'Wrong.' }));
  expect(html).toContain(control);
  expect(html).toMatch(/<\/(textarea|select)><p id="x-flaw">Wrong\.<\/p><\/div>$/);
});

it('marks every choice, and says it behind the question', () => {
  const part = '<legend>Role</legend><label class="choice"><input type="radio" value="a"> A</label>'.concat(
    '<label class="choice"><input type="radio" value="b"> B</label>',
  );
  const html = draw(part, 'role', {}, refused({ role: 'Choose.' }));
  expect(html).toMatch(/^<fieldset class="field"><legend>Role<\/legend><p id="role-flaw">/);
  expect(html.match(/name="role"/g)).toHaveLength(2);
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
  expect(html.match(/ id="role"/g)).toHaveLength(1);
});

it('leaves boxes of one question their own names', () => {
  const part =
    '<legend>Scopes</legend><label class="choice"><input type="checkbox" name="scope-read"></label>';
  expect(draw(part, 'scopes', {}, null)).toContain('name="scope-read"');
});

it('marks only the form that was sent, where several have the field', () => {
  const refusal = refused({ note: 'Say why.' }, '/dashboard/review/pi_1/dismiss');
  const note = '<label>Why</label><textarea></textarea>';
  expect(draw(note, 'note', { id: 'accept-note', in: 'accept' }, refusal)).not.toContain('aria-invalid');
  expect(draw(note, 'note', { id: 'dismiss-note', in: 'dismiss' }, refusal)).toContain('dismiss-note-flaw');
  expect(drawFolded('<summary>Dismiss</summary>', 'dismiss', refusal)).toContain(
    '<details class="act" open>',
  );
  expect(drawFolded('<summary>Accept</summary>', 'accept', refusal)).toContain('<details class="act">');
});

it('says above what no field of the page has taken, and links to the first that has', () => {
  const refusal = refused({ email: 'No address.', actor: 'Nobody asks.' });
  draw(PLAIN, 'email', {}, refusal);
  expect(refusal.drawn()).toEqual({
    summary: { first: 'email', count: 1 },
    problem: 'Nobody asks.',
  });
  expect(refused({}).drawn()).toEqual({ summary: null, problem: 'All of it.' });
  expect(refused({ actor: 'Nobody asks.' }).drawn()).toEqual({ summary: null, problem: 'All of it.' });
});

it('is no field without a control', () => {
  expect(() => draw('<label>Nothing</label>', 'nothing', {}, null)).toThrow('no control');
});
