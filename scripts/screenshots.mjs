// `npm run screenshots`: draws the pictures in docs/screenshots again, and the page that lists them. The checkout's come
// from the fixtures that the browser tests use, the dashboard's from a sandbox that `demo fill` has filled, and those of
// docs/wallets.md from a new merchant's way through another.
// `npm run screenshots -- --all FOLDER`: every page and state, on a phone and a desk, in the light and in the dark, into a
// folder of one's own, to be looked at one by one. `--languages` instead of `--all`: the checkout alone, in all of its languages.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shrink } from './screenshots/shrink.mjs';

register('../test/support/run/typescript-loader.mjs', import.meta.url);
const { checkoutPictures } = await import('./screenshots/checkout.mjs');
const { dashboardPictures } = await import('./screenshots/dashboard.mjs');
const { walletPictures } = await import('./screenshots/wallets.mjs');
const { allLanguages, everything } = await import('./screenshots/everything.mjs');
const { launchChromium } = await import('../test/support/browser/chromium.ts');

/** What a repository carries for ever with every change of a picture. */
const MAX_TOTAL_BYTES = 6_000_000;
const PARTS = { checkout: checkoutPictures, dashboard: dashboardPictures, wallets: walletPictures };

const wanted = process.argv.slice(2);
const WHOLE = { '--all': everything, '--languages': allLanguages };
if (wanted[0] in WHOLE) {
  await drawInto(wanted[1], WHOLE[wanted[0]]);
  process.exit();
}
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`There are ${Object.keys(PARTS).join(', ')}, but no ${unknown.join(', ')}.`);

const root = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'screenshots');
const browser = await launchChromium();
let total = 0;
try {
  for (const part of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
    const folder = join(root, part);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const files = [];
    for await (const { name, image } of PARTS[part](browser)) {
      const picture = shrink(image);
      writeFileSync(join(folder, `${name}.png`), picture);
      files.push(name);
      total += picture.length;
      process.stderr.write(`${part}/${name}: ${Math.ceil(picture.length / 1000)} kB\n`);
    }
    writeFileSync(join(folder, 'README.md'), listOf(part, files.sort()));
    process.stdout.write(`${files.length} pictures of the ${part} in ${folder}\n`);
  }
} finally {
  await browser.close();
}
process.stdout.write(`${Math.ceil(total / 1000)} kB in all\n`);
if (total > MAX_TOTAL_BYTES) {
  process.stderr.write(`That is more than ${MAX_TOTAL_BYTES / 1000} kB.\n`);
  process.exitCode = 1;
}

async function drawInto(folder, draw) {
  if (!folder) throw new Error('Say into which folder: npm run screenshots -- --all FOLDER');
  const browser = await launchChromium();
  let count = 0;
  try {
    for await (const { name, image } of draw(browser)) {
      const file = join(folder, `${name}.png`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, image);
      count++;
    }
  } finally {
    await browser.close();
  }
  process.stdout.write(`${count} pictures in ${folder}\n`);
}

function listOf(part, names) {
  const title = `# Pictures of the ${part}\n\nDrawn by \`npm run screenshots\`.\n`;
  return title + names.map((name) => `\n## ${name}\n\n![${name}](${name}.png)\n`).join('');
}
