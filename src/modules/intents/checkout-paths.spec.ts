import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { panelPath, payPath } from './checkout-paths.pure.js';

const SRC = join(import.meta.dirname, '..', '..');

it('says where the page of a payment is, what is below it, and its panel in a sandbox', () => {
  expect(payPath('pi_1')).toBe('/pay/pi_1');
  expect(payPath('pi_1', 'status')).toBe('/pay/pi_1/status');
  expect(payPath('../x?y')).toBe('/pay/..%2Fx%3Fy');
  expect(panelPath('pi_1')).toBe('/sandbox/pay/pi_1');
  expect(panelPath('pi_1', 'exact')).toBe('/sandbox/pay/pi_1/exact');
});

it('is the only place that spells them: elsewhere take `payPath` and `panelPath`', () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.spec\.ts$|checkout-paths\.pure\.ts$/.test(file),
  );
  const spelled = sources.flatMap((file) =>
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        /['"`}]\/?(?:sandbox\/)?pay\/(?!:)|@Controller\('(?:sandbox\/)?pay\b/.test(line)
          ? [`${file}:${i + 1} ${line}`]
          : [],
      ),
  );
  expect(spelled).toEqual([]);
});
