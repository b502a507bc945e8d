import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { ReleaseChannel } from '@heliograph/kit';
import {
  manifestFile,
  type ReleaseArchive,
  type ReleaseManifest,
  signManifest,
} from '@heliograph/wire/release-manifest';
import { PLATFORMS } from '../npm/platform.ts';
import { archiveFile } from './device-archive.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface OfferOptions {
  /** The folder that a web server serves, with the archives of the release. */
  readonly folder: string;
  readonly version: string;
  readonly channel: ReleaseChannel;
  readonly percentage: number;
  readonly minimumVersion: string;
  /** How long devices install from the manifest. */
  readonly days: number;
  readonly now: Date;
  /** In PEM. */
  readonly privateKeys: readonly string[];
}

/** Signs the manifest with which a channel offers a release, and puts it in the place of the one before. @returns its path */
export async function offerRelease(options: OfferOptions): Promise<string> {
  const { folder, version, channel, percentage, minimumVersion, days, now, privateKeys } = options;
  const archives: Record<string, ReleaseArchive> = {};
  for (const platform of PLATFORMS) {
    const file = archiveFile(version, platform);
    if (existsSync(join(folder, file))) archives[platform.cpu] = await describe(folder, file);
  }
  if (Object.keys(archives).length === 0) throw new Error(`${folder} has no archive of release ${version}`);
  const manifest: ReleaseManifest = {
    format: 1,
    channel,
    version,
    minimumVersion,
    percentage,
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    archives,
  };
  const path = join(folder, manifestFile(channel));
  await writeFile(`${path}.new`, signManifest(manifest, privateKeys));
  await rename(`${path}.new`, path);
  return path;
}

async function describe(folder: string, file: string): Promise<ReleaseArchive> {
  const content = await readFile(join(folder, file));
  const unpacked = await promisify(zstdDecompress)(content);
  return {
    file,
    sizeBytes: content.length,
    unpackedBytes: unpacked.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}
