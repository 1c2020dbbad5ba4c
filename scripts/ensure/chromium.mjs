// Shared by ensure.mjs and the browser tests, so that both agree on which browser is meant.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The same engine without the browser's own windows, menus and profiles: a page costs a third of the processor time. */
const HEADLESS = 'chromium-headless-shell';
const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome'];
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium, or undefined. CHROMIUM_PATH wins, and is an error when it names nothing executable. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, which is not an executable file.`);
  }
  return [...NAMES.flatMap((name) => placesOf(name, env)), ...MAC_APPS].find(isExecutable);
}

/** Whether there is one that suites should have: whoever names another has their way. */
export const hasHeadlessShell = (env = process.env) =>
  Boolean(env.CHROMIUM_PATH) || placesOf(HEADLESS, env).some(isExecutable);

function placesOf(name, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
