import type { DocumentName } from '@heliograph/contracts';
import type { Database } from '../../db/open.ts';

export class DocumentRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns undefined when the organization has no text of its own */
  async find(
    organizationId: number,
    name: DocumentName,
    db: Database = this.#db,
  ): Promise<string | undefined> {
    const document = await db
      .selectFrom('organization_documents')
      .select('text')
      .where('organization_id', '=', organizationId)
      .where('name', '=', name)
      .executeTakeFirst();
    return document?.text;
  }

  async set(tx: Database, organizationId: number, name: DocumentName, text: string): Promise<void> {
    await tx
      .insertInto('organization_documents')
      .values({ organization_id: organizationId, name, text })
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet({ text }))
      .execute();
  }

  async remove(tx: Database, organizationId: number, name: DocumentName): Promise<void> {
    await tx
      .deleteFrom('organization_documents')
      .where('organization_id', '=', organizationId)
      .where('name', '=', name)
      .execute();
  }
}
