export type PictureType = 'png' | 'jpeg' | 'webp';

export interface Picture {
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

/**
 * What a file says that it is and how large, by its first bytes alone: nothing is unpacked for it, so that a small file
 * which would unpack to gigabytes is known before it does.
 * @returns `null` for what is no PNG, JPEG or WebP
 */
export function pictureOf(file: Uint8Array): Picture | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes);
}

/** The signature, then IHDR: length, name, width, height. */
function pngOf(bytes: Buffer): Picture | null {
  const isPng = bytes.length >= 33 && bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n';
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Segments, each with its length, up to the first that starts a frame (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegOf(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A byte 0xff may be repeated before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** RIFF, then the first chunk: lossy, lossless, or extended. Sizes are 14, 14 or 24 bits. */
function webpOf(bytes: Buffer): Picture | null {
  const isWebp = bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF';
  if (!isWebp || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized('webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized('webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}

function sized(type: PictureType, width: number, height: number): Picture | null {
  return width > 0 && height > 0 ? { type, width, height } : null;
}
