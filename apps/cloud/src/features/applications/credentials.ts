import { randomBytes } from 'node:crypto';
import { newToken, tokenHash } from '../../secrets/opaque-token.ts';

/** What the id of an application starts with, which is no secret: a prefix, and 128 random bits in base64url. */
const CLIENT_ID_PREFIX = 'app_';
const CLIENT_ID = /^app_[\w-]{22}$/;

/** How many of a secret's last characters people tell it by. */
const HINT_LENGTH = 4;

/** What there is of a client's secret: itself, once, and what is stored. */
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

/** By which people tell a secret from others; of its 256 bits it gives 24 away. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}
