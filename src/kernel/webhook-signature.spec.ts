import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newSecret, sign } from './webhook-signature.js';

const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampS: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const nowS = Math.floor(Date.now() / 1_000);
const accepts = (secret: string, body: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('sign', () => {
  it('gives the published vector', () => {
    const headers = sign([VECTOR.secret], VECTOR.id, VECTOR.timestampS, VECTOR.body);
    expect(headers).toEqual({
      'webhook-id': VECTOR.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    });
  });

  it('satisfies the public library, whatever the body', () => {
    for (const body of ['{}', '{"title":"Zürcher Käse 🧀"}', `"${'x'.repeat(70_000)}"`]) {
      const secret = newSecret();
      expect(accepts(secret, body, { ...sign([secret], 'evt_1', nowS, body) })).toBe(true);
    }
  });

  it('is accepted with the old and with the new secret while both sign', () => {
    const [current, previous, stranger] = [newSecret(), newSecret(), newSecret()];
    const headers = { ...sign([current, previous], 'evt_1', nowS, '{}') };
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect([current, previous, stranger].map((secret) => accepts(secret, '{}', headers))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is refused after any change of a bit in body, id, time or signature', () => {
    const secret = newSecret();
    const body = '{"id":"evt_1","sequence":1}';
    const headers: Record<string, string> = { ...sign([secret], 'evt_1', nowS, body) };
    expect(accepts(secret, body, headers)).toBe(true);
    let accepted = 0;
    for (let i = 0; i < 1_000; i++) {
      const flip = (text: string) => {
        const bytes = Buffer.from(text);
        bytes[i % bytes.length]! ^= 1 << (i % 6);
        return bytes.toString('latin1');
      };
      const signature = headers['webhook-signature']!;
      const tampered = signature.slice(0, 3) + flip(signature.slice(3, -2)) + '=';
      accepted += Number(accepts(secret, flip(body), headers));
      accepted += Number(accepts(secret, body, { ...headers, 'webhook-id': flip('evt_1') }));
      accepted += Number(
        accepts(secret, body, { ...headers, 'webhook-timestamp': String(nowS + 1 + (i % 200)) }),
      );
      accepted += Number(accepts(secret, body, { ...headers, 'webhook-signature': tampered }));
    }
    expect(accepted).toBe(0);
  });

  it('is refused by the public library when it is more than five minutes off, or in milliseconds', () => {
    const secret = newSecret();
    const verifies = (timestampS: number) => {
      try {
        new Webhook(secret).verify('{}', { ...sign([secret], 'evt_1', timestampS, '{}') });
        return true;
      } catch {
        return false;
      }
    };
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_795_249_920_000);
    const offsets = [0, -300, 300, -301, 301, 1_795_249_920 * 999].map((offset) => 1_795_249_920 + offset);
    expect(offsets.map(verifies)).toEqual([true, true, true, false, false, false]);
    now.mockRestore();
  });

  it('refuses what would be ambiguous or unsigned', () => {
    expect(() => sign([newSecret()], 'evt.1', nowS, '{}')).toThrow(RangeError);
    expect(() => sign([newSecret()], 'evt_1', 1.5, '{}')).toThrow(RangeError);
    expect(() => sign([], 'evt_1', nowS, '{}')).toThrow(RangeError);
    for (const secret of ['secret', newSecret().replace('whsec_', 'whpub_')])
      expect(() => sign([secret], 'evt_1', nowS, '{}')).toThrow(RangeError);
    expect(() => sign([`whsec_${randomBytes(8).toString('base64')}`], 'evt_1', nowS, '{}')).toThrow(
      RangeError,
    );
  });
});

describe('newSecret', () => {
  it('is whsec_ and standard base64 of 24 bytes, never twice the same', () => {
    const secrets = Array.from({ length: 500 }, newSecret);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(new Set(secrets).size).toBe(500);
  });
});
