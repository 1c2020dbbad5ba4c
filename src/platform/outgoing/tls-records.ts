/** Type, version and length (RFC 8446, 5.1). */
const HEADER_BYTES = 5;
const LENGTH_AT = 3;

/** Counts the records of TLS in what comes, however it is cut into parts. */
export class TlsRecords {
  /** Those that have begun. */
  begun = 0;
  private headerBytes = 0;
  private length = 0;
  /** Of the present record, still to come. */
  private restBytes = 0;

  read(part: Uint8Array): void {
    for (let at = 0; at < part.length;) {
      const skipped = Math.min(this.restBytes, part.length - at);
      this.restBytes -= skipped;
      at += skipped;
      const byte = part[at];
      if (byte === undefined) return;
      at += 1;
      this.readHeader(byte);
    }
  }

  private readHeader(byte: number): void {
    if (this.headerBytes === 0) this.begun += 1;
    this.length = this.headerBytes < LENGTH_AT ? 0 : this.length * 256 + byte;
    this.headerBytes += 1;
    if (this.headerBytes < HEADER_BYTES) return;
    this.restBytes = this.length;
    this.headerBytes = 0;
  }
}
