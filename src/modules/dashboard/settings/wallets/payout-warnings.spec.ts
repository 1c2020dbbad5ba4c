import { payoutWarnings } from '../../../chains/wallets/destination-text.pure.js';
import { sayIn } from '../../language/say.js';
import { warningsSaid } from './payout-warnings.js';

const known = [true, false, null];
const looks = known.flatMap((isFactoryDeployed) =>
  known.flatMap((hasDeployer) =>
    [[], ['WILD', 'ETH']].map((refused) => ({ isFactoryDeployed, hasDeployer, refused })),
  ),
);

it.each(looks)('warns as the command line does, of %j', (look) => {
  expect(warningsSaid(sayIn('en'), look, 'ethereum')).toEqual(payoutWarnings(look, 'ethereum'));
});

it.each(looks)('warns in German of %j', (look) => {
  const [said, english] = [warningsSaid(sayIn('de'), look, 'ethereum'), payoutWarnings(look, 'ethereum')];
  expect(said).toHaveLength(english.length);
  expect(said.filter((text) => english.includes(text))).toEqual([]);
});
