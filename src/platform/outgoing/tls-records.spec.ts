import { TlsRecords } from './tls-records.js';

const record = (length: number) => [23, 3, 3, length >> 8, length & 255, ...Array<number>(length).fill(23)];

describe('TlsRecords', () => {
  const bytes = Buffer.from([...record(300), ...record(0), ...record(1), ...record(16_640)]);

  it.each([1, 2, 3, 4, 5, 6, 7, 304, 305, 306, 16_384, 65_536])(
    'counts the same where the parts have %d bytes',
    (size) => {
      const records = new TlsRecords();
      for (let at = 0; at < bytes.length; at += size) records.read(bytes.subarray(at, at + size));
      expect(records.begun).toBe(4);
    },
  );

  it('counts one of which nothing but the first byte has come', () => {
    const records = new TlsRecords();
    records.read(bytes.subarray(0, 306));
    expect(records.begun).toBe(2);
  });
});
