import { checkoutStates } from '../../../test/support/checkout/checkout-states.js';
import type { Config } from '../../config/config.types.js';
import type { Assets } from '../../platform/pages/assets.js';
import { Views } from '../../platform/pages/views.js';
import { ErrorPages } from '../../platform/problems/error-pages.js';
import { en } from './catalogue/en.js';
import { CheckoutLanguages } from './checkout.languages.js';
import { asksForOptions, CheckoutPages, type PayQuery } from './checkout.pages.js';
import { pageVersion } from './domain/page-version.js';

const checkoutUrl = 'https://pay.example';
const pages = new CheckoutPages(
  new Views(),
  new ErrorPages(),
  new CheckoutLanguages({ checkoutUrl }),
  { checkoutUrl, mode: 'production' } as Config,
  { url: (name: string) => `/assets/${name}` } as Assets,
);

const QUERIES: readonly PayQuery[] = [
  {},
  { cancel: '1' },
  { refund: '1' },
  { open: 'record' },
  { change: '1' },
  ...Object.keys(en.notices).map((notice) => ({ notice })),
];
const { options } = checkoutStates['choose']!;

/** Beside whose quote nobody asks for the options. */
const PAYABLE = Object.entries(checkoutStates).filter(([, { quote, unseen }]) => quote !== null && !unseen);

it.each(PAYABLE)('%s is the same page, of the same version, without the options', (_name, intent) => {
  const [withThem, without] = [
    { ...intent, options },
    { ...intent, options: [] },
  ];
  expect(pageVersion(without)).toBe(pageVersion(withThem));
  for (const query of QUERIES.filter((each) => !asksForOptions(each)))
    expect(pages.pay(without, en, query)).toBe(pages.pay(withThem, en, query));
});

it.each([{ change: '1' }, { notice: 'option-closed' }])('a page with %j asks for them', (query) => {
  const intent = checkoutStates['waiting']!;
  expect(asksForOptions(query)).toBe(true);
  expect(pages.pay({ ...intent, options: [] }, en, query)).not.toBe(
    pages.pay({ ...intent, options }, en, query),
  );
});
