import { ownValue } from '../../../kernel/lookups.js';

type Told = (text: string) => string;

/**
 * Translates what a service said, which is English with the values in it: sentence by sentence where each of them is known,
 * else as a whole. In a text of the catalogue `{name}` stands for a value, which may be a text of it too. What nobody has
 * translated stays as it is.
 * @param catalogue what services say
 * @param words single words that may be values of theirs, such as a status
 */
export function toldBy(
  catalogue: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>> = {},
): Told {
  const patterns = Object.entries(catalogue)
    .filter(([english]) => english.includes('{'))
    .map(([english, translated]) => ({ pattern: patternOf(english), translated }));
  const known = (text: string): string | null => {
    const whole = ownValue(catalogue, text);
    if (whole !== undefined) return whole;
    for (const { pattern, translated } of patterns) {
      const values = pattern.exec(text)?.groups;
      if (values)
        return translated.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(values[name] ?? ''));
    }
    return null;
  };
  const valueOf = (value: string): string =>
    (/^[a-z]+$/.test(value) ? ownValue(words, value) : undefined) ?? known(value) ?? value;
  return (text) => {
    const sentences = text.split(/(?<=\.) /).map(known);
    return sentences.includes(null) ? (known(text) ?? text) : sentences.join(' ');
  };
}

function patternOf(english: string): RegExp {
  const literal = english.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's');
}
