import { type SqlBool, sql } from 'kysely';
import { isSuspended } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';

export interface NewCode {
  readonly hash: Buffer;
  readonly organizationId: number | null;
  readonly uses: number;
  readonly createdBy: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** An organization, or null for the service itself. */
export type CodeOwner = number | null | 'anyone';

export interface UsedCode {
  readonly id: number;
  readonly organizationId: number | null;
}

export type ActivationCodeRecord = Awaited<ReturnType<ActivationCodeRepository['list']>>[number];

const CODE_COLUMNS = [
  'id',
  'organization_id as organizationId',
  'uses_left as usesLeft',
  'created_by as createdBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

export class ActivationCodeRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(tx: Database, code: NewCode): Promise<ActivationCodeRecord> {
    return tx
      .insertInto('activation_codes')
      .values({
        hash: code.hash,
        organization_id: code.organizationId,
        uses_left: code.uses,
        created_by: code.createdBy,
        created_at: code.createdAt,
        expires_at: code.expiresAt,
      })
      .returning(CODE_COLUMNS)
      .executeTakeFirstOrThrow();
  }

  /** The newest first, used up and expired ones included. */
  list(owner: CodeOwner, { offset, limit }: Page) {
    return this.#db
      .selectFrom('activation_codes')
      .select(CODE_COLUMNS)
      .where(ownedBy(owner))
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
  }

  /** Locks a code until the transaction ends. @returns undefined when there is none */
  async usesLeft(tx: Database, id: number): Promise<number | undefined> {
    const code = await tx
      .selectFrom('activation_codes')
      .select('uses_left')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return code?.uses_left;
  }

  /** @returns undefined when the owner has no such code */
  remove(tx: Database, owner: CodeOwner, id: number): Promise<UsedCode | undefined> {
    return tx
      .deleteFrom('activation_codes')
      .where('id', '=', id)
      .where(ownedBy(owner))
      .returning(['id', 'organization_id as organizationId'])
      .executeTakeFirst();
  }

  /**
   * Takes one use of a code; concurrent callers get no more uses than there are.
   *
   * @param deviceOrganizationId a device of an organization accepts no other's code
   * @returns undefined when there is no such code, or it has no use left or has expired
   */
  use(
    tx: Database,
    hash: Buffer,
    deviceOrganizationId: number | null,
    at: Date,
  ): Promise<UsedCode | undefined> {
    return tx
      .updateTable('activation_codes')
      .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
      .where('hash', '=', hash)
      .where('uses_left', '>', 0)
      .where(({ not }) => not(isSuspended('activation_code_id', sql.ref('activation_codes.id'))))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
      .$if(deviceOrganizationId !== null, (codes) =>
        codes.where((eb) =>
          eb.or([eb('organization_id', 'is', null), eb('organization_id', '=', deviceOrganizationId)]),
        ),
      )
      .returning(['id', 'organization_id as organizationId'])
      .executeTakeFirst();
  }
}

function ownedBy(owner: CodeOwner) {
  if (owner === 'anyone') return sql<SqlBool>`true`;
  return sql<SqlBool>`organization_id is not distinct from ${owner}`;
}
