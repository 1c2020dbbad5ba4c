/** Reorders or hides text without being seen: controls, bidi overrides, zero-width and tag characters. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{e0000}-\u{e0fff}]/gu;

/** Joiners belong into emoji and into Arabic or Indic words, but make two Latin words out of one that looks the same. */
const STRAY_JOINER =
  /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}])[\u200c\u200d]/gu;

/** More than this many marks on one letter cover the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Nothing of it acts unseen. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Text from strangers as a person may safely see it: what would act unseen becomes a visible "�". */
export function visibleText(text: string): string {
  // Nearly all text is such, and a page has some sixty.
  if (PRINTABLE_ASCII.test(text)) return text.trim();
  return text
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(INVISIBLE, '\ufffd')
    .replace(STRAY_JOINER, '\ufffd')
    .replace(PILED_MARKS, '$1')
    .trim();
}
