import { parseUrl } from './parse-url.js';

it('says null of what is no URL', () => {
  expect(parseUrl('shop.example')).toBeNull();
  expect(parseUrl('https://')).toBeNull();
});

it('takes a name with an umlaut also after many calls', () => {
  const url = 'https://käse.example/';
  for (let i = 0; i < 200_000; i++) parseUrl('https://shop.example/hook');
  expect(parseUrl(url)?.href).toBe('https://xn--kse-qla.example/');
});
