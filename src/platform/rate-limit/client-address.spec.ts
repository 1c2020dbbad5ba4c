import { clientAddress } from './client-address.js';

describe('clientAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s as %s', (ip, subject) => {
    expect(clientAddress(ip)).toBe(subject);
  });

  it.each([undefined, '', 'unknown', '_hidden', '192.0.2.7:4711', '1.2.3', "' OR 1=1", 'x'.repeat(10_000)])(
    'knows no one behind %p',
    (ip) => {
      expect(clientAddress(ip)).toBe('unknown');
    },
  );
});
