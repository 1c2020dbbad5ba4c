import {
  at,
  CREATED,
  DURING,
  factsOf,
  intent,
  quote,
  transfer,
} from '../../../../../test/support/intents/payment.js';
import type { Intent } from '../../domain/model.js';
import type { EventBody } from '../../domain/present.js';
import type { Decision, Step } from './decide.js';
import { renderCreation, renderSteps } from './steps.js';

const NOW = at(-60_000);
const step = (from: Step['from'], to: Step['to']): Step => ({ from, to, cause: 'deposit-observed' });
const decision = (...steps: Step[]): Decision => ({ steps, quoteId: 'usdc', completedAt: DURING });

function rendered(of: Partial<Intent>, decided: Decision, shown = true) {
  const numbers = [1, 2, 3][Symbol.iterator]();
  const facts = factsOf([transfer({ amountAtoms: 40n })]);
  const rendering = { checkoutUrl: 'https://pay.example', newEventId: () => `evt_${numbers.next().value}` };
  const { after, steps } = renderSteps(
    { intent: intent(of), facts, now: NOW },
    decided,
    shown ? quote() : null,
    rendering,
  );
  return { after, steps, bodies: steps.map(({ body }) => JSON.parse(body) as EventBody) };
}
const whole = decision(
  step('initiated', 'pending'),
  step('pending', 'confirmed'),
  step('confirmed', 'settled'),
);

describe('the events of a decision', () => {
  it('are one of each edge, in order, with the intent as it was at that edge', () => {
    const { steps, bodies } = rendered({ sequence: 1 }, whole);
    expect(steps.map(({ sequence, from, to, eventId }) => [sequence, from, to, eventId])).toEqual([
      [2, 'initiated', 'pending', 'evt_1'],
      [3, 'pending', 'confirmed', 'evt_2'],
      [4, 'confirmed', 'settled', 'evt_3'],
    ]);
    expect(
      bodies.map(({ data: { intent: shown, previousStatus } }) => [
        previousStatus,
        shown.status,
        shown.confirmedAt,
        shown.settledAt,
      ]),
    ).toEqual([
      ['initiated', 'pending', null, null],
      ['pending', 'confirmed', NOW.toISOString(), null],
      ['confirmed', 'settled', NOW.toISOString(), NOW.toISOString()],
    ]);
  });

  it('have the number and the name that their step is stored with', () => {
    const { steps, bodies } = rendered({ sequence: 7 }, whole);
    expect(bodies.map(({ id, sequence }) => [id, sequence])).toEqual(
      steps.map(({ eventId, sequence }) => [eventId, sequence]),
    );
    expect(bodies[0]).toMatchObject({ type: 'payment.status', timestamp: NOW.toISOString(), sequence: 8 });
  });

  it('tell what has arrived, where anything was quoted', () => {
    const [shown] = rendered({}, whole).bodies;
    expect(shown?.data).toMatchObject({
      intent: { assetSymbol: 'USDC', checkoutUrl: 'https://pay.example/pay/pi_1' },
      payment: { received: '0.00004000', missing: '0.00006000' },
    });
    const [bare] = rendered({}, { ...whole, quoteId: null }, false).bodies;
    expect(bare?.data).toMatchObject({ intent: { assetSymbol: null }, payment: null });
  });
});

describe('the intent after a decision', () => {
  it('has walked its edges, and knows its quote and its completion', () => {
    expect(rendered({ quoteId: null }, whole).after).toEqual(
      intent({
        status: 'settled',
        sequence: 4,
        quoteId: 'usdc',
        completedAt: DURING,
        confirmedAt: NOW,
        settledAt: NOW,
      }),
    );
  });

  it('keeps when it was confirmed', () => {
    const { after } = rendered(
      { status: 'confirmed', confirmedAt: DURING },
      decision(step('confirmed', 'settled')),
    );
    expect(after).toMatchObject({ confirmedAt: DURING, settledAt: NOW });
  });

  it('is confirmed and settled at once by an accept, and neither by an expiry', () => {
    const times = (to: Step['to']) => rendered({ status: 'pending' }, decision(step('pending', to))).after;
    expect(times('settled')).toMatchObject({ confirmedAt: NOW, settledAt: NOW });
    expect(times('expired')).toMatchObject({ confirmedAt: null, settledAt: null });
  });

  it('is otherwise as it was where no edge was walked', () => {
    const { after, steps } = rendered({ status: 'pending' }, { ...decision(), completedAt: null });
    expect([after, steps]).toEqual([intent({ status: 'pending' }), []]);
  });
});

it('event 1 is the creation, as of that moment', () => {
  const creation = renderCreation(intent({ quoteId: null }), {
    checkoutUrl: 'https://pay.example',
    newEventId: () => 'evt_1',
  });
  expect(creation.id).toBe('evt_1');
  expect(JSON.parse(creation.body)).toMatchObject({
    id: 'evt_1',
    type: 'payment.status',
    timestamp: CREATED.toISOString(),
    sequence: 1,
    data: {
      previousStatus: null,
      payment: null,
      intent: { id: 'pi_1', status: 'initiated', checkoutUrl: 'https://pay.example/pay/pi_1' },
    },
  });
});
