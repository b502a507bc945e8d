import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CloudSecret, deriveKeys } from './derive-key.ts';

/** Tokens that end the mails of one kind to an account, and do nothing else: mail programs send them for its reader. */
export class UnsubscribeTokens {
  readonly #keys: readonly Buffer[];

  constructor(secret: CloudSecret) {
    this.#keys = deriveKeys(secret, 'unsubscribe links');
  }

  of(userId: number): string {
    return `${userId}.${this.#signatures(userId)[0]?.toString('base64url')}`;
  }

  /** The account of a token; undefined for a token of none. */
  accountOf(token: string): number | undefined {
    const [, id = '', signature = ''] = /^([1-9]\d{0,9})\.([\w-]{43})$/.exec(token) ?? [];
    const given = Buffer.from(signature, 'base64url');
    const isRight = this.#signatures(Number(id)).some(
      (right) => right.length === given.length && timingSafeEqual(right, given),
    );
    return isRight ? Number(id) : undefined;
  }

  #signatures(userId: number): Buffer[] {
    return this.#keys.map((key) => createHmac('sha256', key).update(`alerts ${userId}`).digest());
  }
}
