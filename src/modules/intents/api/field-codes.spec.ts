import { returnUrlFlaw } from '../domain/return-url.js';
import { INTENT_FIELD_CODES } from './field-codes.http.js';

it.each([
  ['absolute https URL', '/thanks'],
  ['ASCII', 'https://shop.example/ü'],
  ['500 characters', 'https://shop.example/'.padEnd(501, 'a')],
  ['user info', 'https://user@shop.example'],
  ['service_intent', 'https://shop.example/?service_intent='],
  ['status', 'https://shop.example/?status=mine'],
])('names %s, for which a return URL is refused', (words, url) => {
  expect(returnUrlFlaw(url)).toContain(words);
  expect(INTENT_FIELD_CODES.invalid_url).toContain(words);
});
