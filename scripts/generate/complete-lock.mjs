// Adds the platform packages of @foundry-rs/anvil that this machine's registry does not carry, without integrity.
import { readFileSync, writeFileSync } from 'node:fs';
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const at = 'node_modules/@foundry-rs/anvil';
const linux = lock.packages[`${at}-linux-amd64`];
for (const [os, cpu, name] of [
  ['darwin', 'x64', 'darwin-amd64'],
  ['darwin', 'arm64', 'darwin-arm64'],
  ['linux', 'arm64', 'linux-arm64'],
  ['win32', 'x64', 'win32-amd64'],
]) {
  const { integrity, ...rest } = linux;
  void integrity;
  lock.packages[`${at}-${name}`] ??= { ...rest, cpu: [cpu], os: [os] };
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync('package-lock.json', JSON.stringify(lock, null, 2) + '\n');
