import { expect, it } from 'vitest';
import {
  generateReleaseKey,
  isInStage,
  type ReleaseManifest,
  releasePublicKey,
  signManifest,
  verifyManifest,
} from './release-manifest.ts';

const key = generateReleaseKey();
const other = generateReleaseKey();
const nowMs = Date.parse('2026-11-26T08:00:00Z');

const manifest: ReleaseManifest = {
  format: 1,
  channel: 'stable',
  version: '0.2.0',
  minimumVersion: '0.1.0',
  percentage: 100,
  issuedAt: '2026-11-26T00:00:00Z',
  expiresAt: '2027-02-26T00:00:00Z',
  archives: {
    x64: {
      file: 'heliograph-device_0.2.0_amd64.tar.zst',
      sizeBytes: 10,
      unpackedBytes: 20,
      sha256: 'a'.repeat(64),
    },
  },
};

const verified = (text: string, publicKeys = [key.publicKey], channel: 'stable' | 'beta' = 'stable') =>
  verifyManifest(text, { publicKeys, channel, nowMs });

it('a manifest is read where one of its signatures is of a trusted key', () => {
  expect(verified(signManifest(manifest, [key.privateKey]))).toEqual(manifest);
  const both = signManifest(manifest, [key.privateKey, other.privateKey]);
  expect(verified(both, [other.publicKey])).toEqual(manifest);
  expect(verified(signManifest(manifest, [other.privateKey]), [key.publicKey, other.publicKey])).toEqual(
    manifest,
  );
  expect(releasePublicKey(key.privateKey)).toBe(key.publicKey);
});

it.each([
  ['of another key', signManifest(manifest, [other.privateKey]), 'not signed with a key'],
  ['without a signature', signManifest(manifest, []), 'not signed with a key'],
  [
    'that was changed',
    signManifest(manifest, [key.privateKey]).replace('0.2.0', '0.2.1'),
    'not signed with a key',
  ],
  [
    'that expired',
    signManifest({ ...manifest, expiresAt: '2026-11-26T08:00:00Z' }, [key.privateKey]),
    'it expired',
  ],
  [
    'of another channel',
    signManifest({ ...manifest, channel: 'beta' }, [key.privateKey]),
    'of the channel beta',
  ],
  [
    'with a path outside of its folder',
    signManifest(
      {
        ...manifest,
        archives: { x64: { file: '../x', sizeBytes: 1, unpackedBytes: 1, sha256: 'a'.repeat(64) } },
      },
      [key.privateKey],
    ),
    'of a format',
  ],
  [
    'with a version that is a path',
    signManifest({ ...manifest, version: '../1' }, [key.privateKey]),
    'of a format',
  ],
  ['that is no JSON', '<html>', 'no JSON'],
  ['that is another document', '{"version":"1.0.0"}', 'no signed manifest'],
])('a manifest %s is refused', (_case, text, reason) => {
  expect(() => verified(text)).toThrow(reason);
});

it('a stage has about its percentage of the devices, others at another release, and a larger one keeps them', () => {
  const seeds = Array.from({ length: 2000 }, (_, index) => `device ${index}`);
  const inStage = (percentage: number, version = '0.2.0') =>
    seeds.filter((seed) => isInStage({ ...manifest, percentage, version }, seed));
  expect(inStage(0)).toEqual([]);
  expect(inStage(100)).toEqual(seeds);
  const tenth = inStage(10);
  expect(tenth.length).toBeGreaterThan(140);
  expect(tenth.length).toBeLessThan(260);
  expect(inStage(30)).toEqual(expect.arrayContaining(tenth));
  expect(inStage(10, '0.3.0')).not.toEqual(tenth);
});
