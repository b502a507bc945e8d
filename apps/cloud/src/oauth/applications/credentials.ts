import { randomBytes } from 'node:crypto';
import { newToken, tokenHash } from '../../common/secrets/opaque-token.ts';

/** The id of an application is no secret: a prefix, and 128 random bits in base64url. */
const CLIENT_ID_PREFIX = 'app_';
const CLIENT_ID = /^app_[\w-]{22}$/;

/** Length of a hint, the last characters of a secret. */
const HINT_LENGTH = 4;

/** A new secret, which is shown once, and its stored digest and hint. */
export interface NewSecret {
  readonly secret: string;
  readonly hash: Buffer;
  readonly hint: string;
}

export function newClientId(): string {
  return CLIENT_ID_PREFIX + randomBytes(16).toString('base64url');
}

/** Whether an id is an application's: agents have ids of another form, or the address of a document. */
export function isApplicationId(clientId: string): boolean {
  return CLIENT_ID.test(clientId);
}

export function newSecret(): NewSecret {
  const secret = newToken('client');
  return { secret, hash: tokenHash(secret), hint: secretHint(secret) };
}

/** Identifies a secret for people; discloses 24 of its 256 bits. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}
