// A fresh clone has no memory of how long each file took, and Jest would go by its size: a file that takes a minute
// may then begin when nothing else is left to do beside it.
const { relative, sep } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');
const LONGEST = require('./longest.json');

module.exports = class LongestFirstSequencer extends TestSequencer {
  sort(tests) {
    const known = new Map(LONGEST.map((file, rank) => [file, rank]));
    const rank = ({ path, context }) =>
      known.get(relative(context.config.rootDir, path).split(sep).join('/')) ?? LONGEST.length;
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
