import { catalogues } from './catalogues.js';
import { type Catalogue, en } from './en.js';

/** Of what is said by English, by its path; functions are called with marks, and with the counts that change a word. */
function textsOf(node: unknown, path: string, texts: Map<string, string>): Map<string, string> {
  if (typeof node === 'string') texts.set(path, node);
  else if (typeof node === 'function') {
    const say = node as (...values: unknown[]) => unknown;
    if (/^(transferState.included|depth|about\.)/.test(path)) {
      for (const count of [1, 2, 11]) texts.set(`${path}(${count})`, String(say(count, 12)));
    } else if (/^(states|announcements)\./.test(path)) {
      const facts = new Proxy({}, { get: (_facts, name) => `<${String(name)}>` });
      textsOf(say(facts), path, texts);
    } else {
      textsOf(say('<1>', '<2>', '<3>'), path, texts);
    }
  } else {
    for (const [name, child] of Object.entries(node as object))
      textsOf(child, path === '' ? name : `${path}.${name}`, texts);
  }
  return texts;
}

/** What French writes as English does. */
const SAME = /^(documentTitle|transferState\.included\()/;

const textsIn = (catalogue: Catalogue) => textsOf(catalogue, '', new Map());
const english = textsIn(en);
const others = Object.values(catalogues).filter(({ language }) => language !== 'en');
/** What a text names. Twice the same, or the asset in two words, is a matter of grammar. */
const namesIn = (text: string) => [...new Set(text.match(/<\w+>/g))].sort();

describe.each(others)('$name', (catalogue) => {
  const texts = textsIn(catalogue);

  it('names in each text what the English one names', () => {
    const differing = [...english].flatMap(([path, text]) => {
      const [wanted, found] = [namesIn(text), namesIn(texts.get(path) ?? '')];
      return wanted.join() === found.join() ? [] : [{ path, wanted, found }];
    });
    expect(differing).toEqual([]);
  });

  it('has left no sentence in English, and none empty', () => {
    const left = [...english].filter(
      ([path, text]) =>
        (texts.get(path) === text && text.includes(' ') && !SAME.test(path)) ||
        (texts.get(path) === '') !== (text === ''),
    );
    expect(left).toEqual([]);
  });

  it('ends as the English does: with a point, a question mark, a colon, or nothing', () => {
    const end = (text = '') => /[.?:]$/.exec(text)?.[0] ?? '';
    const differing = [...english].filter(([path, text]) => end(texts.get(path)) !== end(text));
    expect(differing.map(([path]) => [path, texts.get(path)])).toEqual([]);
  });
});

it.each(Object.values(catalogues))(
  'is written as on paper: no exclamation mark, no straight quote, no double space ($name)',
  (catalogue) => {
    for (const [path, text] of textsIn(catalogue)) {
      expect([path, text]).toEqual([path, expect.not.stringMatching(/[!'"ß]| {2}|^ | $|undefined/)]);
    }
  },
);
