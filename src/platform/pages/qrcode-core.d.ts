/** The code itself, without the package's ways to draw it as a picture: a start loads them for nobody. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
