import { clientIp, ipBlocks } from './client-ip.js';

describe('clientIp', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s as %s', (ip, subject) => {
    expect(clientIp(ip)).toBe(subject);
  });

  it.each([undefined, '', 'unknown', '_hidden', '192.0.2.7:4711', '1.2.3', "' OR 1=1", 'x'.repeat(10_000)])(
    'knows no one behind %p',
    (ip) => {
      expect(clientIp(ip)).toBe('unknown');
    },
  );
});

describe('ipBlocks', () => {
  it.each([
    ['2001:db8:1:abcd:2:3:4:5', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
    ['2001:db8:1:ff::', ['2001:db8:1:ff::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:db8:1:100::', ['2001:db8:1:100::/64', '2001:db8:1:100::/56', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['nonsense', ['unknown']],
  ])('counts %s in %j', (ip, blocks) => {
    expect(ipBlocks(clientIp(ip))).toEqual(blocks);
  });

  it.each([
    ['one /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::', 3],
    ['one /56', '2001:db8:1:ab01::', '2001:db8:1:abff::', 2],
    ['one /48', '2001:db8:1:aa00::', '2001:db8:1:ab00::', 1],
    ['no /48', '2001:db8:1::', '2001:db8:2::', 0],
  ])('counts two addresses of %s together', (_, one, other, together) => {
    const others = ipBlocks(clientIp(other));
    expect(ipBlocks(clientIp(one)).filter((block) => others.includes(block))).toHaveLength(together);
  });
});
