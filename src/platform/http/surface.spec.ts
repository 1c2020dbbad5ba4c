import type { Request, Response } from 'express';
import { hostOf, surfaces } from './surface.js';

const serve = surfaces(
  {
    mode: 'sandbox',
    baseUrl: 'http://192.0.2.7:3000',
    checkoutUrl: 'http://192.0.2.7:3001',
    port: 3000,
    checkoutPort: 3001,
  },
  { checkout: /^\/pay(\/|$)/ },
);

it.each([
  ['192.0.2.7:3000', '/dashboard', 'base'],
  ['192.0.2.7:3001', '/pay/pi_1', 'checkout'],
  ['localhost:3000', '/sandbox/webhook', 'base'],
  ['localhost:3001', '/pay/pi_1', 'checkout'],
  ['evil.example', '/pay/pi_1', null],
])('a sandbox that other devices reach knows http://%s%s as its %s', (host, path, surface) => {
  const request = { headers: { host }, path } as Request;
  let refused: unknown;
  serve(request, {} as Response, (error?: unknown) => (refused = error));
  expect([hostOf(request), refused === undefined]).toEqual([surface, surface !== null]);
});
