// A worker thread, one for each picture: unpacks it, makes it small, and writes it anew as PNG. On a thread of its own
// because what strangers' bytes do to a decoder is not known: it is WebAssembly, which sees no memory but its own, and
// what it breaks ends with the thread. Plain JavaScript, because Node loads it without a compiler, from `src` and from `dist`.
import { parentPort, workerData } from 'node:worker_threads';
import photon from '@silvia-odwyer/photon-node';

const { file, picture, box, maxBytes } = workerData;

/** A detailed picture is drawn smaller until it is light enough for the first view of a phone. */
const SCALES = [1, 0.8, 0.6, 0.5];

/** From here on, of 255, a picture that one can see through is too bright for paper. */
const BRIGHT_FROM = 170;

parentPort?.postMessage(drawn());

function drawn() {
  const whole = photon.PhotonImage.new_from_byteslice(file);
  // A file may begin with one size and hold another.
  if (whole.get_width() !== picture.width || whole.get_height() !== picture.height) return null;
  const fit = Math.min(box.width / picture.width, box.height / picture.height, 1);
  for (const scale of SCALES) {
    const [width, height] = [sideOf(picture.width * fit * scale), sideOf(picture.height * fit * scale)];
    const small = photon.resize(whole, width, height, photon.SamplingFilter.Lanczos3);
    const png = small.get_bytes();
    if (png.length <= maxBytes) return { png, width, height, bright: isBright(small.get_raw_pixels()) };
  }
  return null;
}

function sideOf(pixels) {
  return Math.max(1, Math.round(pixels));
}

/** Whether it is drawn in bright ink on nothing, for a dark ground. */
function isBright(pixels) {
  let [seen, light, clear] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] / 255;
    seen += alpha;
    light += alpha * (0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2]);
    if (alpha < 0.1) clear += 1;
  }
  return clear > 0 && seen > 0 && light / seen >= BRIGHT_FROM;
}
