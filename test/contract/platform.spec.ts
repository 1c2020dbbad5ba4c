import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PLATFORM = join(import.meta.dirname, '../../src/platform');

/** What the service is about; the platform could carry another. */
const PRODUCT =
  /payment|intent|checkout|webhook|merchant|buyer|wallet|deposit|refund|settle|dashboard|\bchains?\b|svc_|whsec/gi;

/** The same letters for something else: the configuration's second address, and words of standards. */
const OTHER = [
  /checkoutUrl|checkoutPort|CHECKOUT_URL|'checkout'|\bcheckout(?=: RegExp|\.test| \})|isCheckoutPath/g,
  // Whose change it is, in the audit log.
  /merchantId: null/g,
  // A feature of browsers, and a part of OpenAPI.
  /'payment'/g,
  /\bwebhooks\??(?=: )|'webhooks'/g,
];

const files = readdirSync(PLATFORM, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
);

it('finds the platform', () => {
  expect(files.length).toBeGreaterThan(50);
});

it.each(files)(
  'platform/%s names nothing of the product: app.product.ts hands in what it must know',
  (name) => {
    const text = readFileSync(join(PLATFORM, name), 'utf8');
    const rest = OTHER.reduce((left, word) => left.replaceAll(word, ''), text);
    expect([...rest.matchAll(PRODUCT)].map(([word]) => word)).toEqual([]);
  },
);
