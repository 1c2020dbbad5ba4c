import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { german } from './german/german.js';
import { sayIn } from './say.js';

const MODULES = join(import.meta.dirname, '..', '..');
/** Rooms whose refusals become pages of the dashboard. */
const ROOMS =
  /^(accounts|alerts|dashboard|merchants|treasury|webhooks|chains\/(wallets|domain)|intents\/(lifecycle|review|unsettled))\/|^(auth\/api-keys|chains\/outgoing)\.service\.ts$/;
const NO_REFUSALS =
  /\.spec\.ts$|\.http\.ts$|language\/|accounts\/domain\/(news|news-letter|letters\.\w+)\.ts$|alerts\/domain\//;

/** What only the command line or a program asks for. */
const UNSEEN = [
  'Invite somebody as an operator, or as one of {} of a merchant; not as both at once.',
  'It could be decided by now, and was.',
  'It is over already: {}.',
  'It may fail from {} on.',
  'It was {}complete: it can be closed as {} alone.',
  'Its window is open until {}.',
  'Nothing says that it cannot be decided: `intent decide` brings it up to now.',
  'The node of {} does not say what lies at the addresses of these payments. Try again.',
  "Nobody has proved that the account of {} is its person's, and it belongs to merchants. If it is theirs, say so first (user confirm), and they stay what they are. If somebody else made it, end that too (--end-roles).",
  'There is no account of {}.',
  '{} has an account already.',
  '{} is no operator.',
  "{} is no payment's id: those are “pi_” and thirty characters.",
];

const REFUSAL =
  /\b(?:new DomainError|notFound|wrongField|wrong|conflict|unsure|invalid|invalidExtendedKey|text = |detail = |about)\b/;
const SENTENCE = /(['`])((?:\$\{[^}]+\} |[A-Z“])(?:(?!\1)[^\\\n]|\\.)* (?:(?!\1)[^\\\n]|\\.)*[.?!])\1/g;

/** Sentences with which something is refused, with "{}" where they have a value. */
function refusalsIn(source: string): string[] {
  const lines = source.replaceAll(/\/\*.*?\*\//gs, '').split('\n');
  return lines.flatMap((line, i) => {
    const near = lines.slice(Math.max(0, i - 3), i + 1).join('\n');
    if (!REFUSAL.test(near) || /\bsay\(/.test(near)) return [];
    return [...line.matchAll(SENTENCE)].map(([, , text]) => text!.replaceAll(/\$\{[^}]*\}/g, '{}'));
  });
}

it('finds what is refused, and nothing that is said otherwise', () => {
  expect(refusalsIn("throw wrongField('name', 'Not a name.');\n\n\n\nconst a = 'Some other text.';")).toEqual(
    ['Not a name.'],
  );
  expect(refusalsIn('throw conflict(`${name} was here.`);')).toEqual(['{} was here.']);
  expect(refusalsIn("throw wrongField('name', say('Not a name.'));")).toEqual([]);
});

it('what services refuse on pages of the dashboard is said in German', () => {
  const { told } = sayIn('de');
  const found = readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && ROOMS.test(file) && !NO_REFUSALS.test(file))
    .flatMap((file) => refusalsIn(readFileSync(join(MODULES, file), 'utf8')));
  expect(found.length).toBeGreaterThan(80);
  const english = found.filter((text) => {
    const example = text.replace(/^\{\} (?=[A-Z])/, '').replaceAll('{}', '7 on 7');
    return !Object.hasOwn(german, text) && told(example) === example;
  });
  expect([...new Set(english)].sort()).toEqual([...UNSEEN].sort());
});
