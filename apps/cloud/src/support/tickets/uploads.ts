import { subtle } from 'node:crypto';
import { BLANK, type Upload } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { AttachmentRepository } from './attachment-repository.ts';
import { typeOfFile } from './file-type.ts';
import { UPLOADED_KIB } from './limits.ts';

/** How long an upload waits for its message, in milliseconds. */
const LIFETIME_MS = 60 * 60 * 1000;

/** Files on their way into a message. */
export class UploadService {
  readonly #attachments: AttachmentRepository;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(attachments: AttachmentRepository, limits: RateLimits, clock: Clock) {
    this.#attachments = attachments;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** @throws ValidationError for an empty file, and one of a type that is not taken; TooManyRequests */
  async create({ userId }: Caller, givenName: string, bytes: Buffer): Promise<Upload> {
    const name = baseName(givenName);
    if (name === '') throw new ValidationError({ name: [BLANK] });
    if (bytes.length === 0) throw new ValidationError({ file: [BLANK] });
    const contentType = typeOfFile(bytes, name);
    if (contentType === undefined)
      throw new ValidationError({
        file: [
          'must be a PNG, JPEG, WebP, HEIC, HEIF, AVIF, MP4, QuickTime, PDF, ZIP or gzip file, or text in UTF-8',
        ],
      });
    await this.#limits.consume(UPLOADED_KIB, String(userId), Math.ceil(bytes.length / 1024));
    const at = new Date(this.#clock.now());
    const expiresAt = new Date(at.getTime() + LIFETIME_MS);
    // On another thread: 10 MiB take some 20 ms.
    const digest = await subtle.digest(
      'SHA-256',
      new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    );
    const sha256 = Buffer.from(digest).toString('hex');
    const upload = { ownerId: userId, name, contentType, sha256, bytes };
    const id = await this.#attachments.add(upload, at, expiresAt);
    return {
      id,
      name,
      content_type: contentType,
      size: bytes.length,
      expires_at: expiresAt.toISOString(),
    };
  }
}

/** The name of a file without the folders that some programs send with it. */
function baseName(name: string): string {
  return (/[^/\\]*$/.exec(name)?.[0] ?? '').trim();
}
