import type { DatabaseSync } from 'node:sqlite';
import { generateSigningKey, type SigningKey, signingKeyFrom, uidOf } from '@heliograph/wire';

/** The device's identity: its key pair, made on the first start, and the uid that follows from it. */
export interface DeviceIdentity {
  readonly key: SigningKey;
  readonly uid: string;
}

/** The stored identity; the first call makes and stores it before anyone else learns of it. */
export async function loadOrCreateIdentity(db: DatabaseSync): Promise<DeviceIdentity> {
  const key = await signingKeyFrom(JSON.parse(storedJwk(db) ?? (await createJwk(db))));
  return { key, uid: uidOf(key.publicJwk) };
}

async function createJwk(db: DatabaseSync): Promise<string> {
  const { privateJwk } = await generateSigningKey();
  const text = JSON.stringify(privateJwk);
  db.prepare('INSERT INTO identity (id, private_jwk) VALUES (1, ?) ON CONFLICT DO NOTHING').run(text);
  return storedJwk(db) ?? text;
}

function storedJwk(db: DatabaseSync): string | undefined {
  const jwk = db.prepare('SELECT private_jwk FROM identity').get()?.private_jwk;
  return typeof jwk === 'string' ? jwk : undefined;
}
