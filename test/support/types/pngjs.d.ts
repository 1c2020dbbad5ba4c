/** The part of pngjs that is used; it has no types of its own. */
declare module 'pngjs' {
  export class PNG {
    constructor(size: { width: number; height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    static readonly sync: { read(file: Buffer): PNG; write(png: PNG): Buffer };
  }
}
