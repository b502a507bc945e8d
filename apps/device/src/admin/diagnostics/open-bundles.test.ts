import { text } from 'node:stream/consumers';
import { silentLogger, systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { SnapshotPublisher } from '../../poll/snapshot.ts';
import { Diagnostics, type DiagnosticsOptions } from './diagnostics.ts';
import { LogTail } from './log-tail.ts';

/** A device of which little works: what fails or is absent, hence the cast, is left out of its bundles. */
const BROKEN = {
  config: { connections: [], notifications: [], alertRules: [] },
  uid: 'abcdefghijklmnopqrst',
  privateKey: 'the-private-key',
  snapshots: new SnapshotPublisher(),
  links: () => ({ connections: [], uplink: null, mqtt: null }),
  formerBrokers: () => [],
  about: () => ({ version: '2026-11-20', site_name: 'lake house' }),
  logTail: new LogTail(),
  clock: systemClock,
  logger: silentLogger,
} as unknown as DiagnosticsOptions;

const OPTIONS = { via: 'lan', frames: false } as const;

it('a third bundle is refused with 503 while two are open, and made once one of them was fetched or dropped', async () => {
  const diagnostics = new Diagnostics(BROKEN);
  const [first, second] = await Promise.all([diagnostics.bundle(OPTIONS), diagnostics.bundle(OPTIONS)]);
  await expect(diagnostics.bundle(OPTIONS)).rejects.toMatchObject({ status: 503 });
  await text(first.zip);
  const third = await diagnostics.bundle(OPTIONS);
  await expect(diagnostics.bundle(OPTIONS)).rejects.toMatchObject({ status: 503 });
  second.zip.destroy();
  await expect.poll(() => diagnostics.bundle(OPTIONS).then(() => 'made', String)).toBe('made');
  expect(third.fileName).toMatch(/^diagnostics-lake-house-\d{8}T\d{6}Z\.zip$/);
});
