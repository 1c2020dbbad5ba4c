import { newId } from '../../../kernel/ids.js';
import { isWholeId, shortened, withShortIds } from './shortened.js';

const ID = newId('pi');

it('keeps what an id begins and ends with, and what is short whole', () => {
  expect(shortened(ID)).toBe(`${ID.slice(0, 10)}…${ID.slice(-8)}`);
  expect(shortened('order-1042')).toBe('order-1042');
});

it('leaves no whole id in a text, and everything else as it is', () => {
  const text = `GET /api/v1/intents/${ID}/cancel of ${newId('mer')}`;
  expect(withShortIds(text)).toMatch(/^GET \/api\/v1\/intents\/pi_\w{7}…\w{8}\/cancel of mer_\w{6}…\w{8}$/);
  expect(withShortIds('order_0123456789')).toBe('order_0123456789');
});

it('knows an id of ours from a name', () => {
  expect([ID, newId('evt'), 'pi_1', 'ann@shop.example', ''].map(isWholeId)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
