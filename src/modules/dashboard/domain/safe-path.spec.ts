import { pathOfReferer, pathWith, safePath } from './safe-path.js';

it.each([
  '/dashboard',
  '/dashboard/payments?status=settled&page=2',
  '/dashboard/payments#search',
  '/dashboard?x=1',
])('goes to %s', (path) => {
  expect(safePath(path)).toBe(path);
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/dashboard//evil.example',
  '/dashboard\\@evil.example',
  '/dashboard.evil.example',
  '/dashboards',
  '/dashboard/../pay/x',
  '/dashboard/..',
  '/dashboard/%0d%0aX\r\n',
  '/dashboard/\tx',
  'javascript:alert(1)',
  '',
  null,
  undefined,
  ['/dashboard'],
])('goes Home instead of to %j', (path) => {
  expect(safePath(path)).toBe('/dashboard');
});

it('takes from a Referer only the path of our own pages', () => {
  expect(pathOfReferer('https://a.example/dashboard/keys?x=1', 'https://a.example')).toBe(
    '/dashboard/keys?x=1',
  );
  expect(pathOfReferer('https://a.example.evil/dashboard/keys', 'https://a.example')).toBe('/dashboard');
  expect(pathOfReferer(undefined, 'https://a.example')).toBe('/dashboard');
});

it('leaves empty parameters out of an address', () => {
  expect(pathWith('/dashboard/payments', { status: 'settled', q: '', page: null, from: 'a b' })).toBe(
    '/dashboard/payments?status=settled&from=a+b',
  );
  expect(pathWith('/dashboard', {})).toBe('/dashboard');
});
