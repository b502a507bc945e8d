import type { DatabaseSync } from 'node:sqlite';
import { generateSigningKey, type SigningKey, signingKeyFrom, uidOf } from '@heliograph/wire';
import { ANY_VALUE, storedJson } from './stored-json.ts';

/** The device's identity: its key pair, made on the first start, and the uid that follows from it. */
export interface DeviceIdentity {
  readonly key: SigningKey;
  readonly uid: string;
}

/** The stored identity; the first call makes and stores it before anyone else learns of it. */
export async function loadOrCreateIdentity(db: DatabaseSync): Promise<DeviceIdentity> {
  return (await loadIdentity(db)) ?? createIdentity(db);
}

/** @returns undefined where there is none, and for one that cannot be used */
export function loadIdentity(db: DatabaseSync): Promise<DeviceIdentity | undefined> {
  return identityFrom(storedJwk(db));
}

/** @param text a private JWK @returns undefined for one that cannot be used */
export async function identityFrom(text: string | undefined): Promise<DeviceIdentity | undefined> {
  const jwk = storedJson(text, ANY_VALUE);
  if (jwk === undefined) return undefined;
  try {
    const key = await signingKeyFrom(Object(jwk));
    return { key, uid: uidOf(key.publicJwk) };
  } catch {
    return undefined;
  }
}

/** The stored text, usable or not. */
export function storedJwk(db: DatabaseSync): string | undefined {
  const jwk = db.prepare('SELECT private_jwk FROM identity').get()?.private_jwk;
  return typeof jwk === 'string' ? jwk : undefined;
}

async function createIdentity(db: DatabaseSync): Promise<DeviceIdentity> {
  const { privateJwk } = await generateSigningKey();
  const text = JSON.stringify(privateJwk);
  db.prepare('INSERT INTO identity (id, private_jwk) VALUES (1, ?) ON CONFLICT DO NOTHING').run(text);
  const created = await loadIdentity(db);
  if (created === undefined) throw new Error('the stored identity is damaged');
  return created;
}
