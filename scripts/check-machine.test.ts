import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs the check where `process` has other properties. */
function check(properties: string) {
  const preload = `data:text/javascript,Object.defineProperties(process, ${encodeURIComponent(properties)})`;
  const args = ['--import', preload, join(import.meta.dirname, 'check-machine.js')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return [status, stderr.trim()];
}

const linux = (arch: string, header: string) =>
  `{ platform: { value: 'linux' }, arch: { value: '${arch}' }, report: { value: { getReport: () => ({ header: ${header} }) } } }`;

it.each(['x64', 'arm64'])('a Linux with %s and the GNU C library is accepted', (arch) => {
  expect(check(linux(arch, "{ glibcVersionRuntime: '2.36' }"))).toEqual([0, '']);
});

it('a 32-bit system is refused in a sentence', () => {
  const [status, message] = check(linux('arm', "{ glibcVersionRuntime: '2.36' }"));
  expect([status, message]).toEqual([
    1,
    expect.stringMatching(/^This system has 32 bits \(arm\), .* 64-bit/),
  ]);
});

it('a system with musl is refused in a sentence', () => {
  expect(check(linux('x64', '{}'))).toEqual([1, expect.stringContaining('needs the GNU C library')]);
});

it('a processor without a build is refused in a sentence', () => {
  expect(check(linux('riscv64', "{ glibcVersionRuntime: '2.39' }"))).toEqual([
    1,
    expect.stringContaining('not built for linux on riscv64'),
  ]);
});
