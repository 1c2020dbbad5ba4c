import { MOST_ADDRESSES } from '../../../platform/outgoing/name-lookup.js';
import { type ResolvedAddress, resolveVetted } from './resolve.js';

const POLICY = { sandbox: false };

/** A name server that has as many addresses, all of them public, and what is looked at of them. */
function nameServer(count: number) {
  let looks = 0;
  const addresses = Array.from({ length: count }, (_, i): ResolvedAddress => {
    const isIPv6 = i % 2 === 0;
    return {
      get address() {
        looks += 1;
        return isIPv6 ? `2606:4700::${i.toString(16)}` : `93.184.${i >> 8}.${i & 255}`;
      },
      family: isIPv6 ? 6 : 4,
    };
  });
  return { addresses, resolve: () => Promise.resolve(addresses), looks: () => looks };
}

it('a name with more addresses than an honest one has leads nowhere, and none of them is judged', async () => {
  for (const count of [MOST_ADDRESSES + 1, 6_300]) {
    const { resolve, looks } = nameServer(count);
    await expect(resolveVetted('many.example', resolve, POLICY)).rejects.toThrow(
      `many.example has ${count} addresses, more than 32`,
    );
    expect(looks()).toBe(0);
  }
});

it('one with as many may be dialled at all of them, each of which was judged', async () => {
  const { addresses, resolve, looks } = nameServer(MOST_ADDRESSES);
  expect(await resolveVetted('shop.example', resolve, POLICY)).toBe(addresses);
  expect(looks()).toBe(MOST_ADDRESSES);
});

it('the last of as many is judged as the first is', async () => {
  const { addresses } = nameServer(MOST_ADDRESSES - 1);
  const resolve = () => Promise.resolve([...addresses, { address: '10.0.0.1', family: 4 } as const]);
  await expect(resolveVetted('shop.example', resolve, POLICY)).rejects.toThrow('10.0.0.1, which is refused');
});
