import type { Database } from '../../db/open.ts';
import type { ImageType } from './image-format.ts';

export interface Logo {
  readonly mediaType: ImageType;
  /** SHA-256 of the bytes, in hex. */
  readonly digest: string;
  readonly bytes: Buffer;
}

export class LogoRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async digest(organizationId: number): Promise<string | undefined> {
    const logo = await this.#db
      .selectFrom('organization_logos')
      .select('digest')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return logo?.digest;
  }

  /** @returns undefined when the organization has no logo, or another one */
  find(organizationId: number, digest: string) {
    return this.#db
      .selectFrom('organization_logos')
      .select(['media_type as mediaType', 'bytes'])
      .where('organization_id', '=', organizationId)
      .where('digest', '=', digest)
      .executeTakeFirst();
  }

  async set(tx: Database, organizationId: number, { mediaType, digest, bytes }: Logo): Promise<void> {
    const logo = { media_type: mediaType, digest, bytes };
    await tx
      .insertInto('organization_logos')
      .values({ organization_id: organizationId, ...logo })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(logo))
      .execute();
  }

  async remove(tx: Database, organizationId: number): Promise<void> {
    await tx.deleteFrom('organization_logos').where('organization_id', '=', organizationId).execute();
  }
}
