// A picture with a palette is a third of the size or less, and what a repository carries it carries for ever.
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Type is drawn in a few colours and the steps between them; beyond this many nobody sees another. */
const COLOURS = 48;
const DISTINCT = 12;

/** The same picture with a palette of its most common colours, which is a third of the size or less. */
export function shrink(file) {
  const { width, height, data } = PNG.sync.read(file);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, nearestOf(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: none
  for (let pixel = 0; pixel < width * height; pixel++) {
    rows[pixel + Math.floor(pixel / width) + 1] = nearest.get(data.readUIntBE(pixel * 4, 3));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // eight bits, each the number of a colour
  const colours = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3);
  return png([
    ['IHDR', header],
    ['PLTE', colours],
    ['IDAT', deflateSync(rows, { level: 9, memLevel: 9 })],
    ['IEND', Buffer.alloc(0)],
  ]);
}

/** The most common colours that differ from each other: the steps around black and white would leave no room for red. */
function paletteOf(counts) {
  const palette = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.every((known) => distance(known, colour) >= DISTINCT)) palette.push(colour);
    if (palette.length === COLOURS) break;
  }
  return palette;
}

function nearestOf(palette, colour) {
  const distances = palette.map((known) => distance(known, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one, other) {
  const [r, g, b] = [16, 8, 0].map((bits) => ((one >> bits) & 255) - ((other >> bits) & 255));
  return Math.hypot(r, g, b);
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
const crc32 = (bytes) => ~bytes.reduce((crc, byte) => (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 255], ~0) >>> 0;

function png(chunks) {
  const parts = chunks.map(([type, body]) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    crc.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, crc]);
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
