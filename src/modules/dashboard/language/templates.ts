import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { projectFile } from '../../../config/project-files.js';

// For the specs: what the dashboard's templates say.

const VIEWS = projectFile('views');
const FOLDERS = ['dashboard', 'sign-in', 'partials/dashboard', 'partials/sign-in', 'layouts'];
const OTHER_LAYOUTS = /^layouts\/(?!dashboard|sign-in)/;

/** Source by name, such as `dashboard/payments/list`. */
export function templates(): Map<string, string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(VIEWS, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.hbs'))
      .map((file) => `${folder}/${file.slice(0, -'.hbs'.length).replaceAll('\\', '/')}`),
  );
  return new Map(
    files
      .filter((name) => !OTHER_LAYOUTS.test(name))
      .sort()
      .map((name) => [name, readFileSync(join(VIEWS, `${name}.hbs`), 'utf8')]),
  );
}

/** A text that a template says, and the names of what it gives to it. */
export interface SaidText {
  readonly text: string;
  readonly values: readonly string[];
}

/** Every `say` with a text of its own. */
export function saidTexts(source: string): SaidText[] {
  const found: SaidText[] = [];
  const seek = (call: Call): void => {
    const [first] = call.params ?? [];
    if (call.path?.original === 'say' && first?.type === 'StringLiteral' && first.value !== undefined)
      found.push({ text: first.value, values: (call.hash?.pairs ?? []).map(({ key }) => key) });
    for (const param of call.params ?? []) seek(param);
    for (const { value } of call.hash?.pairs ?? []) seek(value);
  };
  eachCall(source, seek);
  return found;
}

/** What partials and helpers are given of English that nobody translates: `label='Payment pages'`. */
const WORDS = new Set(['what', 'label', 'title', 'text', 'summary', 'heading']);

/** Words that are written as they stand, in the text or in an attribute that is read out. */
export function bareTexts(source: string): string[] {
  const given: string[] = [];
  eachCall(source, ({ hash }) => {
    for (const { key, value } of hash?.pairs ?? [])
      if (value.type === 'StringLiteral' && WORDS.has(key)) given.push(`${key}=${value.value}`);
  });
  const html = source
    .replaceAll(/\{\{!.*?\}\}/gs, '')
    .replaceAll(/\{\{\{?(?:"[^"]*"|'[^']*'|[^}'"])*\}\}\}?/g, '\0');
  const attributes = [
    ...html.matchAll(/\b(?:aria-label|aria-description|placeholder|title|alt|data-label)="([^"]*)"/g),
  ];
  const between = html
    .replaceAll(/<(code|pre)\b[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&\w+;|[\w-]+="[^"]*"/g, '')
    .split('\n');
  return [...given, ...attributes.map(([, text = '']) => text), ...between]
    .map((text) => text.replaceAll('\0', ' ').trim())
    .filter((text) => /\p{L}/u.test(text.replaceAll(NAMES, '')));
}

/** What is written the same in every language. */
const NAMES =
  /\b(?:https?:\/\/\S+|webhook-(?:timestamp|signature)|payment\.money|PostgreSQL|ms|Rappen|UTC|API|URL|JSON|CSV|ID|IBAN|QR|Ethereum|Bitcoin|Litecoin|Safe|MetaMask|curl|CHF|EUR|USD)\b/g;

interface Call {
  readonly type?: string;
  readonly value?: string;
  readonly path?: { readonly original?: unknown };
  readonly params?: readonly Call[];
  readonly hash?: { readonly pairs: readonly { readonly key: string; readonly value: Call }[] };
}

/** Everything between braces, inside of blocks too; what is within parentheses is the caller's to follow. */
function eachCall(source: string, seen: (call: Call) => void): void {
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    const { type, program, inverse, body } = node as Record<string, unknown> & { type: string };
    if (/^(Mustache|Block|Partial|PartialBlock)Statement$/.test(type)) seen(node as Call);
    for (const child of [program, inverse, body]) if (child) walk(child);
  };
  walk(Handlebars.parse(source));
}
