import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReleaseChannel, reasonOf } from '@heliograph/kit';
import {
  InvalidManifest,
  MAX_MANIFEST_BYTES,
  manifestFile,
  type ReleaseArchive,
  type ReleaseManifest,
  verifyManifest,
} from '@heliograph/wire/release-manifest';

/** How long a manifest may take, in milliseconds. */
const MANIFEST_TIMEOUT_MS = 30_000;

/** How long a download may receive nothing, in milliseconds. */
const SILENCE_MS = 60_000;

/** The server that releases come from, and the keys that sign them. */
export interface ReleaseSource {
  /** A folder that a web server serves. */
  readonly url: string;
  /** As `releasePublicKey` returns them. */
  readonly publicKeys: readonly string[];
}

/** @throws Error where the text is no source */
export function readReleaseSource(text: string): ReleaseSource {
  const { url, public_keys: publicKeys }: { url?: unknown; public_keys?: unknown } = JSON.parse(text);
  if (typeof url !== 'string' || !/^https?:\/\/[^\s?#@]+$/.test(url))
    throw new Error('its "url" is no address');
  if (
    !Array.isArray(publicKeys) ||
    publicKeys.length === 0 ||
    !publicKeys.every((key) => typeof key === 'string')
  ) {
    throw new Error('its "public_keys" are no list of keys');
  }
  return { url: url.replace(/\/*$/, '/'), publicKeys };
}

/**
 * @returns undefined where the server has no manifest of the channel
 * @throws InvalidManifest, or an error that names the server
 */
export async function fetchManifest(
  { url, publicKeys }: ReleaseSource,
  channel: ReleaseChannel,
  nowMs: number,
): Promise<ReleaseManifest | undefined> {
  const address = new URL(manifestFile(channel), url);
  try {
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(MANIFEST_TIMEOUT_MS),
      cache: 'no-store',
    });
    if (answer.status === 404) {
      await answer.body?.cancel();
      return undefined;
    }
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return verifyManifest(await limitedText(answer), { publicKeys, channel, nowMs });
  } catch (error) {
    if (error instanceof InvalidManifest)
      throw new InvalidManifest(`${address} cannot be used: ${error.message}`);
    throw new Error(`${address} cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * Downloads an archive to a file that no other name has, and checks it.
 *
 * @throws where the server, the disk or the hash fail; the file is then removed
 */
export async function downloadArchive(
  { url }: ReleaseSource,
  { file, sizeBytes, sha256 }: ReleaseArchive,
  path: string,
): Promise<void> {
  const address = new URL(file, url);
  try {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const answer = await fetch(address, { signal: silence.signal });
    if (!answer.ok || answer.body === null) throw new Error(`it answers ${answer.status}`);
    const hash = createHash('sha256');
    let received = 0;
    const check = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        received += chunk.length;
        hash.update(chunk);
        done(received > sizeBytes ? new Error(`it has more than ${sizeBytes} bytes`) : null, chunk);
      },
    });
    try {
      await pipeline(
        Readable.fromWeb(answer.body),
        check,
        createWriteStream(path, { mode: 0o600, flush: true }),
      );
    } finally {
      clearTimeout(timer);
    }
    if (received !== sizeBytes) throw new Error(`it has ${received} bytes in place of ${sizeBytes}`);
    if (hash.digest('hex') !== sha256) throw new Error('its content is not that of the release (SHA-256)');
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error;
    throw new Error(`${address} cannot be used: ${reasonOf(error)}`);
  }
}

async function limitedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_MANIFEST_BYTES) throw new InvalidManifest(`it has more than ${MAX_MANIFEST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
