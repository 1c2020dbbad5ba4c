import { BlockList } from 'node:net';
import fc from '../../../../test/support/run/fast-check.js';
import { mayReach } from './address-policy.js';

const PRODUCTION = { sandbox: false };
const SANDBOX = { sandbox: true };

const REFUSED = [
  ['this network', '0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.100.100.200'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
  ['link-local and metadata', '169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf::1'],
  ['metadata elsewhere', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '192.88.99.1'],
  ['documentation', '192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  ['benchmarks', '198.18.0.1', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
  ['unspecified and IPv4-compatible', '::', '::127.0.0.1', '::8.8.8.8', '::10.0.0.1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1'],
  ['SIIT', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['discard and SRv6', '100::1', '5f00::1'],
  [
    'Teredo and its neighbours',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:20::1',
    '2001:1ff::1',
  ],
  ['6to4', '2002:7f00:1::', '2002:808:808::1'],
  ['ISATAP', '2001:470:1f0b::5efe:10.0.0.1', '2600::200:5efe:7f00:1'],
  ['unique and site local', 'fc00::1', 'fdff::1', 'fec0::1', 'feff::1'],
  [
    'not an address',
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '1.2.3',
    '256.1.1.1',
    '08.8.8.8',
    '[::1]',
  ],
  ['not canonical', 'fe80::1%eth0', '2606:4700::1%1', ' 8.8.8.8', '8.8.8.8.', '8.8.8.8/32', '1::2::3'],
] as const;

describe('mayReach', () => {
  it.each(REFUSED.map(([name, ...addresses]) => ({ name, addresses })))('refuses: $name', ({ addresses }) => {
    expect(addresses.filter((address) => mayReach(address, PRODUCTION))).toEqual([]);
  });

  it('reaches public addresses, up to the edges of what is refused', () => {
    const open = [
      '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255',
      '128.0.0.0', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0',
      '192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255',
      '2606:4700:4700::1111', '2a00:1450:4001::200e', '2001:200::1', '2001:4860:4860::8888', '2003::1',
      '3fff:1000::1', '2000::1', '2600::1:5efe:7f00:1',
    ]; // prettier-ignore
    expect(open.filter((address) => !mayReach(address, PRODUCTION))).toEqual([]);
  });

  it('opens nothing but loopback in the sandbox', () => {
    const opened = REFUSED.flatMap(([, ...addresses]) => addresses).filter((a) => mayReach(a, SANDBOX));
    expect(opened).toEqual(['127.0.0.1', '127.255.255.255', '::1']);
  });

  it('never reaches an IPv4 address that a table written in another way refuses', () => {
    const judge = new BlockList();
    for (const [net, bits] of [
      ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16],
      ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16],
      ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 3],
    ] as const) judge.addSubnet(net, bits); // prettier-ignore
    judge.addAddress('168.63.129.16');
    fc.assert(
      fc.property(fc.ipV4(), (ip) => mayReach(ip, PRODUCTION) === !judge.check(ip)),
      { numRuns: 20_000 },
    );
  });

  it('never reaches IPv6 outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = Number.parseInt(ip.split(':')[0] || '0', 16);
        return !mayReach(ip, PRODUCTION) || (first >= 0x2000 && first <= 0x3fff);
      }),
      { numRuns: 5_000 },
    );
  });
});
