import { execFileSync } from 'node:child_process';

const FILES = `
  const { AsyncLocalStorage } = require('node:async_hooks');
  const Environment = require('./test/support/jest/shared-environment.cjs');
  const kept = new AsyncLocalStorage();
  (async () => {
    const left = [];
    for (let file = 0; file < 2; file++) {
      const environment = new Environment({ projectConfig: {} });
      const [own, entered] = [new AsyncLocalStorage(), new AsyncLocalStorage()];
      const inside = own.run('a', () => kept.run('b', () => (entered.enterWith('c'), [own, kept, entered].map((one) => one.getStore()))));
      entered.enterWith('d');
      await environment.teardown();
      left.push([inside, [own, kept, entered].map((one) => one.enabled ?? one.getStore() !== undefined)]);
    }
    console.log(JSON.stringify(left));
  })();`;

it('switches off after each file what it used of the asynchronous context, and a package’s works again', () => {
  const said = execFileSync(process.execPath, ['-e', FILES], { encoding: 'utf8' });
  const each = [
    ['a', 'b', 'c'],
    [false, false, false],
  ];
  expect(JSON.parse(said)).toEqual([each, each]);
});
