import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { projectVersion } from '@heliograph/kit';
import { generateReleaseKey, verifyManifest } from '@heliograph/wire/release-manifest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PLATFORMS } from '../npm/platform.ts';
import { makeDeviceArchive } from './device-archive.ts';
import { offerRelease } from './offer-release.ts';

let out: string;

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'heliograph-release-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

it('an offered release is signed, and its archives have the device, its installation and the keys of later releases', async () => {
  const { privateKey, publicKey } = generateReleaseKey();
  const root = join(out, 'root');
  await mkdir(join(root, 'bin'), { recursive: true });
  await writeFile(join(root, 'bin/node'), '#!/bin/sh\n', { mode: 0o755 });
  const [platform] = PLATFORMS;
  if (platform === undefined) throw new Error('there are no platforms');
  const url = 'https://releases.example.org/';
  const archive = await makeDeviceArchive({ platform, root, out, url, publicKeys: [publicKey] });

  const now = new Date('2026-11-26T08:00:00Z');
  const options = {
    folder: out,
    version: projectVersion(),
    percentage: 10,
    minimumVersion: '0.1.0',
    days: 90,
    now,
  };
  const path = await offerRelease({ ...options, channel: 'beta', privateKeys: [privateKey] });
  const text = await readFile(path, 'utf8');
  const manifest = verifyManifest(text, { publicKeys: [publicKey], channel: 'beta', nowMs: now.getTime() });
  expect(manifest).toMatchObject({
    version: projectVersion(),
    percentage: 10,
    expiresAt: '2027-02-24T08:00:00.000Z',
  });
  expect(Object.keys(manifest.archives)).toEqual([platform.cpu]);
  expect(manifest.archives[platform.cpu]?.sizeBytes).toBe((await stat(archive)).size);

  const unpacked = join(out, 'unpacked');
  await mkdir(unpacked);
  execFileSync('tar', ['-x', '-C', unpacked], { input: zstdDecompressSync(await readFile(archive)) });
  const unit = await readFile(join(unpacked, 'units/heliograph-device.service'), 'utf8');
  expect(unit).toContain(
    '\nExecStartPre=+/opt/heliograph/before-start\nExecStart=/opt/heliograph/current/bin/node ',
  );
  expect(unit).not.toContain('/usr/lib/heliograph');
  expect((await stat(join(unpacked, 'install'))).mode & 0o111).not.toBe(0);
  expect((await stat(join(unpacked, 'bin/node'))).mode & 0o111).not.toBe(0);
  expect(JSON.parse(await readFile(join(unpacked, 'release-source.json'), 'utf8'))).toEqual({
    url,
    public_keys: [publicKey],
  });
});
