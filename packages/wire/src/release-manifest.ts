import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { compareVersions, isVersion, RELEASE_CHANNELS, type ReleaseChannel } from '@heliograph/kit/versions';

/** A file that is installed on machines of one architecture. */
export interface ReleaseArchive {
  /** The name of the file, beside the manifest. */
  readonly file: string;
  readonly sizeBytes: number;
  /** The size of its files once they are unpacked. */
  readonly unpackedBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The release that a channel offers. */
export interface ReleaseManifest {
  readonly format: 1;
  readonly channel: ReleaseChannel;
  readonly version: string;
  /** Older devices need a release in between. */
  readonly minimumVersion: string;
  /** How many of a hundred devices that update by themselves take it. */
  readonly percentage: number;
  /** ISO 8601; an older manifest of the channel than one that was seen is a replay. */
  readonly issuedAt: string;
  /** ISO 8601; afterwards nothing is installed from it, so that devices cannot be held on an old release. */
  readonly expiresAt: string;
  /** By architecture as Node names it. */
  readonly archives: Readonly<Record<string, ReleaseArchive>>;
}

/** The manifest cannot be trusted or understood. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
}

/** Largest file of a signed manifest that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 64 * 1024;

/** The name of the file of a channel on a release server. */
export function manifestFile(channel: ReleaseChannel): string {
  return `${channel}.json`;
}

/** Ed25519, both in PEM. */
export function generateReleaseKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: textOf(publicKey.export({ format: 'der', type: 'spki' })),
  };
}

/** @returns the public key as devices know it: the DER of its SPKI in base64 */
export function releasePublicKey(privateKey: string): string {
  const key = createPublicKey(createPrivateKey(privateKey));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key of releases must be an Ed25519 key');
  return textOf(key.export({ format: 'der', type: 'spki' }));
}

/**
 * The text of a signed manifest. What is signed is the manifest's own text, so that no other writing of it has the signature.
 *
 * @param privateKeys in PEM; several while devices move from one key to another
 */
export function signManifest(manifest: ReleaseManifest, privateKeys: readonly string[]): string {
  const text = JSON.stringify(manifest);
  const signatures = privateKeys.map((key) =>
    sign(null, Buffer.from(text), createPrivateKey(key)).toString('base64'),
  );
  return `${JSON.stringify({ manifest: text, signatures }, null, 2)}\n`;
}

/**
 * Reads a signed manifest.
 *
 * @param publicKeys as `releasePublicKey` returns them; the signature of one of them suffices
 * @throws InvalidManifest where it has none of their signatures, is not whole, of another channel, or expired
 */
export function verifyManifest(
  text: string,
  { publicKeys, channel, nowMs }: { publicKeys: readonly string[]; channel: ReleaseChannel; nowMs: number },
): ReleaseManifest {
  const { manifest: signed, signatures } = recordOf(text);
  if (typeof signed !== 'string' || !Array.isArray(signatures))
    throw new InvalidManifest('it is no signed manifest');
  const isSigned = publicKeys.some((key) =>
    signatures.some((signature) => typeof signature === 'string' && isSignatureOf(signed, signature, key)),
  );
  if (!isSigned) throw new InvalidManifest('it is not signed with a key that this device trusts');
  const manifest = recordOf(signed);
  if (!isManifest(manifest)) throw new InvalidManifest('it is of a format that this release does not know');
  if (manifest.channel !== channel) throw new InvalidManifest(`it is of the channel ${manifest.channel}`);
  if (Date.parse(manifest.expiresAt) <= nowMs) {
    throw new InvalidManifest(`it expired at ${manifest.expiresAt}`);
  }
  return manifest;
}

/** Whether a device is among the percentage of a release; another release has others first. */
export function isInStage({ percentage, version }: ReleaseManifest, seed: string): boolean {
  const digest = createHash('sha256').update(`${seed} ${version}`).digest();
  return digest.readUInt32BE(0) % 100 < percentage;
}

/** The release of several channels that is newest; undefined where there is none. */
export function newestRelease(manifests: readonly ReleaseManifest[]): ReleaseManifest | undefined {
  return manifests.toSorted((a, b) => compareVersions(a.version, b.version)).at(-1);
}

function textOf(der: Buffer): string {
  return der.toString('base64');
}

function isSignatureOf(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Refused below, without a piece of the text.
  }
  throw new InvalidManifest('it is no JSON object');
}

function isManifest(value: unknown): value is ReleaseManifest {
  const manifest = value as Partial<Record<keyof ReleaseManifest, unknown>>;
  const { format, channel, version, minimumVersion, percentage, issuedAt, expiresAt, archives } = manifest;
  return (
    format === 1 &&
    RELEASE_CHANNELS.some((one) => one === channel) &&
    [version, minimumVersion].every((text) => typeof text === 'string' && isVersion(text)) &&
    Number.isInteger(percentage) &&
    Number(percentage) >= 0 &&
    Number(percentage) <= 100 &&
    [issuedAt, expiresAt].every((text) => typeof text === 'string' && !Number.isNaN(Date.parse(text))) &&
    typeof archives === 'object' &&
    archives !== null &&
    Object.values(archives).every(isArchive)
  );
}

function isArchive(value: unknown): value is ReleaseArchive {
  if (typeof value !== 'object' || value === null) return false;
  const { file, sizeBytes, unpackedBytes, sha256 } = value as Partial<Record<keyof ReleaseArchive, unknown>>;
  return (
    typeof file === 'string' &&
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(file) &&
    [sizeBytes, unpackedBytes].every((bytes) => Number.isSafeInteger(bytes) && Number(bytes) > 0) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  );
}
