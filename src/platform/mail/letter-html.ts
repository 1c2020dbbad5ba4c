import type { Language } from '../../kernel/text/staff-languages.js';

/** Whose mail it is, where it is not our own. */
export interface LetterHead {
  readonly name: string;
  /** Of the line below, by day and by night: to be seen on white and on black. */
  readonly line: { readonly light: string; readonly dark: string };
  /** A PNG that is in the mail itself, under `LOGO_CID`; in CSS pixels, on a ground that it can be seen on. */
  readonly logo: { readonly width: number; readonly height: number; readonly ground: string } | null;
}

/** Nothing is loaded from anywhere when a mail is opened: nobody learns that, or when, it was. */
export const LOGO_CID = 'logo';

const RAPPEN: LetterHead = { name: 'Rappen', line: { light: '#111111', dark: '#f3f3f0' }, logo: null };

/**
 * The same words as the text, in the hand of our pages, for mail programs that show HTML.
 * @param own where our pages are: only what leads there is a link, whatever addresses strangers have written
 */
export function letterHtml(
  {
    subject,
    text,
    language,
  }: { readonly subject: string; readonly text: string; readonly language: Language },
  own: string,
  head: LetterHead = RAPPEN,
): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title>
<style>${STYLE}${headStyle(head)}</style></head>
<body><div class="letter">${headHtml(head)}
<h1>${escaped(subject)}</h1>
${paragraphs.map((paragraph) => `<p>${linked(paragraph, own)}</p>`).join('\n')}
</div></body></html>
`;
}

/** @param src of the logo, where it is not in the mail itself */
export function headHtml({ name, logo }: LetterHead = RAPPEN, src = `cid:${LOGO_CID}`): string {
  const picture = logo && `<img src="${src}" width="${logo.width}" height="${logo.height}" alt="">`;
  return `<p class="letter-head">${picture ?? ''}${escaped(name)}</p>`;
}

/** @param within a selector, where a page shows several */
export function headStyle({ line, logo }: LetterHead = RAPPEN, within = ''): string {
  return [
    `${within}.letter-head{margin:0;padding-bottom:12px;border-bottom:2px solid ${line.light};font-size:14px}`,
    `${within}.letter-head img{margin-right:12px;border-radius:4px;background:${logo?.ground ?? 'none'};vertical-align:middle}`,
    `@media (prefers-color-scheme:dark){${within}.letter-head{border-color:${line.dark}}}`,
  ].join('');
}

/** As in public/rappen.css; mail programs read no stylesheet of ours. */
const STYLE = [
  'body{margin:0;padding:24px 16px;background:#fff;color:#111;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}',
  '.letter{max-width:32rem;margin:0 auto;overflow-wrap:anywhere}',
  'h1{margin:16px 0 0;font-size:20px;line-height:1.3}',
  'p{margin:16px 0 0}',
  'a{color:inherit}',
  '@media (prefers-color-scheme:dark){body{background:#101010;color:#f3f3f0}}',
].join('');

/** Whole, however long; what ends a sentence or a bracket behind one is not of it. */
const LINKS = /(https?:\/\/\S*[^\s.,;:!?)\]’”»])/;

function linked(paragraph: string, own: string): string {
  return paragraph
    .split(LINKS)
    .map((part) =>
      part.startsWith(`${own}/`) ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part),
    )
    .join('')
    .replaceAll('\n', '<br>\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
