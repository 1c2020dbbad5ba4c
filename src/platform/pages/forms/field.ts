import { valueAt } from '../../../kernel/lookups.js';
import type { Refusal } from './refusal.js';

/** How a template names a field. */
export interface FieldOptions {
  /** Other than its name, where the page has several of that name. */
  readonly id?: string;
  /** The form that it is in, where several have it: a part of the path that only this one is sent to. */
  readonly in?: string;
  /** More of the outer element's classes. */
  readonly class?: string;
}

const CONTROL = /<(input|select|textarea)\b([^>]*)>/g;
const CONTROL_TAG = /<(input|select|textarea)\b/;
/** Where a control ends, by its tag. */
const END: ReadonlyMap<string, RegExp> = new Map([
  ['input', /<input\b[^>]*>/],
  ['select', /<\/select>/],
  ['textarea', /<\/textarea>/],
]);

/**
 * A field of a form: what a template writes of it (a label or a legend, the control or several, a hint), tied together,
 * with what was wrong with it. Names, ids and `aria-…` are written here and nowhere else, so that no form forgets one.
 * @param part trusted HTML: whatever somebody has typed is escaped in it
 * @param refusal what was refused of a form of this page, if anything was
 * @param drawFlaw what was wrong, as HTML that has this id
 */
export function drawField(
  part: string,
  name: string,
  { id = name, in: form = '', class: more = '' }: FieldOptions,
  refusal: Refusal | null,
  drawFlaw: (flawId: string, flaw: string) => string,
): string {
  const flaw = refusal?.take(name, form, id) ?? null;
  const hasHint = /class="hint"/.test(part);
  const described = [...(flaw === null ? [] : [`${id}-flaw`]), ...(hasHint ? [`${id}-hint`] : [])];
  const aria =
    (flaw === null ? '' : ' aria-invalid="true"') +
    (described.length === 0 ? '' : ` aria-describedby="${described.join(' ')}"`);
  const isFirstFlaw = flaw !== null && refusal?.isFirst === true;
  let controls = 0;
  const tied = part
    .replace('<label>', `<label for="${id}">`)
    .replace('class="hint"', `class="hint" id="${id}-hint"`)
    .replace(CONTROL, (_, tag: string, rest: string) => {
      controls += 1;
      const own = refusal === null ? rest : rest.replace(/ autofocus\b/, '');
      const named = / name="/.test(own) ? '' : ` name="${name}"`;
      const first = controls === 1 ? ` id="${id}"` : '';
      return `<${tag}${first}${named}${own}${aria}${controls === 1 && isFirstFlaw ? ' autofocus' : ''}>`;
    });
  if (controls === 0) throw new Error(`the field "${name}" has no control`);
  const element = part.includes('<legend') ? 'fieldset' : 'div';
  const classes = ['field', ...(more === '' ? [] : [more])].join(' ');
  const body = flaw === null ? tied : withFlaw(tied, drawFlaw(`${id}-flaw`, flaw));
  return `<${element} class="${classes}">${body}</${element}>`;
}

/** Behind the control; behind the question where there are several to choose from. */
function withFlaw(tied: string, said: string): string {
  const isChoice = /class="choice"/.test(tied);
  const [, tag = ''] = CONTROL_TAG.exec(tied) ?? [];
  const end = tied.includes('<legend') ? /<\/legend>/ : isChoice ? /<\/label>/ : valueAt(END, tag);
  return tied.replace(end, (found) => found + said);
}

/** A form that is folded away, open where something was wrong with it. */
export function drawFolded(part: string, form: string, refusal: Refusal | null): string {
  const isOpen = part.includes('aria-invalid="true"') || (form !== '' && refusal?.isOf(form));
  return `<details class="act"${isOpen ? ' open' : ''}>${part}</details>`;
}
