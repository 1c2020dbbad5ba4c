import type { Views } from '../../../../platform/pages/views.js';
import type { TimeText } from '../../domain/times.js';
import { escaped, htmlIn } from '../../language/say.js';
import { momentFor, type Reader, utcFor } from '../reader.js';

/** What all layouts that draw texts of the dashboard have in their model. */
interface Layout {
  readonly layout: Reader;
}

/**
 * `{{say 'Go to {name}' name=(bdi merchant)}}` is a text in the reader's language; `{{time moment 'short'}}` a moment where
 * the reader is, `{{bdi name}}` what somebody has typed, `{{exactly id}}` an id or an address to
 * compare, `{{wholeText url}}` what may break anywhere. A text may name all of them.
 */
export function addLanguageHelpers(views: Views): void {
  views.drawing('say', ([text], values, root) => htmlIn(readerIn(root).language, String(text), values));
  views.drawing('time', ([time, form], _, root) =>
    timeFor(readerIn(root), time as TimeText, form === 'short'),
  );
  views.helper('joined', (...parts) => parts.join(''));
  views.drawing('wholeText', ([text]) => `<span class="whole">${escaped(text)}</span>`);
  views.drawing('exactly', ([text]) => `<code class="whole">${escaped(text)}</code>`);
  views.drawing('bdi', ([name]) => `<bdi>${escaped(name)}</bdi>`);
}

function readerIn(root: object): Reader {
  return (root as Layout).layout;
}

function timeFor(reader: Reader, { iso, utc, since }: TimeText, isShort: boolean): string {
  const said = since
    ? htmlIn(reader.language, since.text, { count: since.count })
    : escaped(momentFor(reader, iso, utc, isShort ? 'short' : 'whole'));
  return `<time datetime="${iso}" title="${utcFor(reader.language, iso, utc)}">${said}</time>`;
}
