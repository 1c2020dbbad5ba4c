import { type EndpointHealth, MOST_COUNTED } from '../../../webhooks/webhooks.types.js';
import { sayIn } from '../../language/say.js';
import { endpointHealthView } from './endpoints.view.js';

const WELL: EndpointHealth = {
  endpointId: 'we_1',
  lastArrivedAt: null,
  failingSince: null,
  waiting: 0,
  held: 0,
};

it.each([
  [0, '0', null],
  [MOST_COUNTED - 1, '9,999', '9,999'],
  [MOST_COUNTED, '10,000 or more', '10,000 or more'],
])('of %d deliveries says no more than is counted', (number, waiting, held) => {
  const view = endpointHealthView(sayIn('en'), { ...WELL, waiting: number, held: number }, new Date());
  expect(view).toMatchObject({ waiting, held });
});
