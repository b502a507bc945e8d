import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { NewGrant } from './records.ts';

/** What users allowed programs. */
export class GrantRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The grant is good for nothing until the OAuth server has written what is in it. */
  add(grant: NewGrant, actor: Actor, at: Date, expiresAt: Date): Promise<void> {
    return this.#db.transaction().execute(async (tx) => {
      await tx
        .insertInto('oauth_grants')
        .values({
          id: grant.id,
          client_id: grant.clientId,
          client_name: grant.clientName,
          organization_id: grant.organizationId,
          user_id: grant.userId,
          site_id: grant.siteId,
          scopes: [...grant.scopes],
          payload: '{}',
          created_at: at,
          expires_at: expiresAt,
        })
        .execute();
      await markUsed(tx, grant.clientId, at);
      await recordAudit(tx, actor, at, {
        action: 'grant.created',
        organizationId: grant.organizationId,
        siteId: grant.siteId,
        userId: grant.userId,
        details: { client_id: grant.clientId, name: grant.clientName, scopes: grant.scopes },
      });
    });
  }

  async setPayload(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#db
      .updateTable('oauth_grants')
      .set({ payload: JSON.stringify(payload) })
      .where('id', '=', id)
      .execute();
  }

  /** @returns undefined for one that was ended, has expired, or has nothing in it yet */
  async payload(id: string, now: Date): Promise<Record<string, unknown> | undefined> {
    const grant = await this.#db
      .selectFrom('oauth_grants')
      .select('payload')
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .where(sql<boolean>`payload <> '{}'`)
      .executeTakeFirst();
    return grant?.payload;
  }

  /** The site that the user chose before for the same program, if any. */
  async siteChosenBefore(userId: number, clientId: string): Promise<number | null> {
    const last = await this.#db
      .selectFrom('oauth_grants')
      .select('site_id as siteId')
      .where('user_id', '=', userId)
      .where('client_id', '=', clientId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.siteId ?? null;
  }
}

/** An agent whose id is the address of a document has no row to mark. */
async function markUsed(tx: Transaction<Schema>, clientId: string, at: Date): Promise<void> {
  await tx.updateTable('oauth_clients').set({ last_used_at: at }).where('client_id', '=', clientId).execute();
}
