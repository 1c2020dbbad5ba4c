/** A control of a form, as a reader of the page's HTML sees it. */
export interface Control {
  readonly name: string;
  readonly id: string;
  /** "text", "password", "radio", …; "select" and "textarea" for those. */
  readonly type: string;
  readonly autocomplete: string;
  /** What it would send; of boxes and radios, if it is checked. */
  readonly value: string;
  readonly isChecked: boolean;
  readonly isReadonly: boolean;
  readonly isInvalid: boolean;
  readonly describedBy: readonly string[];
  readonly hasAutofocus: boolean;
}

export interface HtmlForm {
  /** Empty for the page's own address. */
  readonly action: string;
  readonly controls: readonly Control[];
}

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#x60': '`',
  '#x3D': '=',
};

/** As Handlebars escapes it. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => CHARACTERS[name] ?? whole);
}

/** The forms of a page that change something, but those of its layout. */
export function postForms(html: string): HtmlForm[] {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  return [...main.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, attributes]) => /method="post"/.test(attributes!))
    .map(([, attributes, inner]) => ({
      action: attributeOf(attributes!, 'action'),
      controls: controlsIn(inner!),
    }));
}

function controlsIn(form: string): Control[] {
  return [...form.matchAll(/<(input|select|textarea)\b([^>]*)>(?:([^<]*)<\/textarea>)?/g)].map(
    ([whole, tag, attributes, text]) => {
      const rest = form.slice(form.indexOf(whole));
      const type = tag === 'input' ? attributeOf(attributes!, 'type') || 'text' : tag!;
      return {
        name: attributeOf(attributes!, 'name'),
        id: attributeOf(attributes!, 'id'),
        type,
        autocomplete: attributeOf(attributes!, 'autocomplete'),
        value:
          tag === 'select'
            ? chosenIn(rest.slice(0, rest.indexOf('</select>')))
            : tag === 'textarea'
              ? unescaped(text ?? '')
              : attributeOf(attributes!, 'value'),
        isChecked: / checked\b/.test(attributes!),
        isReadonly: / readonly\b/.test(attributes!),
        isInvalid: / aria-invalid="true"/.test(attributes!),
        describedBy: attributeOf(attributes!, 'aria-describedby').split(' ').filter(Boolean),
        hasAutofocus: / autofocus\b/.test(attributes!),
      };
    },
  );
}

function chosenIn(select: string): string {
  const options = [...select.matchAll(/<option([^>]*)>/g)].map(([, attributes]) => attributes!);
  const chosen = options.find((attributes) => / selected\b/.test(attributes)) ?? options[0] ?? '';
  return attributeOf(chosen, 'value');
}

function attributeOf(attributes: string, name: string): string {
  return unescaped(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}
