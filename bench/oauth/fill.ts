import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { fill } from '../cloud/fill.ts';
import { APPLICATION } from './application.ts';

/** The session of the person who consents, and the site that they choose. */
export const SESSION = 'hgs_bench-session-01234567890123456789012345678';
export const SITE = 1;

/** Accounts and sites, and the application that asks the first of them. */
export async function fillWithApplication(client: Client, rows: number): Promise<void> {
  await fill(client, rows);
  await client.query(
    `insert into tokens (kind, hash, user_id, scopes, created_at, expires_at, last_used_at)
    values ('session', $1, 1, '{sites:read_all,sites:write_all}', now(), now() + interval '1 day', now() + interval '1 day')`,
    [sha256(SESSION)],
  );
  await client.query(
    `insert into oauth_clients (client_id, organization_id, kind, name, secret_hash, secret_hint, redirect_uris, scopes,
      created_at)
    values ($1, 2, 'confidential', $2, $3, 'none', $4, $5, now())`,
    [
      APPLICATION.clientId,
      APPLICATION.name,
      sha256(APPLICATION.secret),
      [APPLICATION.redirectUri],
      APPLICATION.scope.split(' '),
    ],
  );
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
