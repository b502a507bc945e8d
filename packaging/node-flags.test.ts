import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVICE_NODE_FLAGS, PROXY_NODE_FLAGS } from '@heliograph/dev/node-flags';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** Node with its own options, and the program of a part. */
const STARTS = /\/node((?: --\S+)*) (?:\S*apps\/(device|proxy)\/src\/main\.[jt]s|"\$main")/g;
const PART_OF_BRANCH = /(device|proxy|\*)\) exec \S*$/;

it.each([
  ['packaging/containers/run', ['device', 'proxy', '*']],
  ['packaging/debian/device/files/usr/lib/systemd/system/heliograph-device.service', ['device']],
  ['packaging/debian/proxy/files/usr/lib/systemd/system/heliograph-proxy.service', ['proxy']],
  ['docs/operating-a-device.md', ['device']],
  ['docs/operating-a-proxy.md', ['proxy']],
])('%s starts each part with the options of Node that the tests and benchmarks use', (file, parts) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const starts = [...text.matchAll(STARTS)].map(({ 0: start, 1: flags = '', 2: part, index }) => ({
    part: part ?? PART_OF_BRANCH.exec(text.slice(0, index))?.[1] ?? start,
    flags: flags.split(' ').filter((flag) => flag !== ''),
  }));
  const permanent = starts.filter(({ flags, part }) => flags.length > 0 || part === '*');
  expect(permanent.map(({ part }) => part)).toEqual(parts);
  for (const { part, flags } of permanent) {
    const wanted = { device: DEVICE_NODE_FLAGS, proxy: PROXY_NODE_FLAGS }[part] ?? [];
    expect({ part, flags }).toEqual({ part, flags: wanted });
  }
});
