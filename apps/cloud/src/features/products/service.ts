import { isDeepStrictEqual } from 'node:util';
import { moneyText, type Product, type ProductListQuery } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, type AuditEvent, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { type CatalogueEntry, readCatalogue, writeCatalogue } from './catalogue.ts';
import { catalogueEntryOf, presentProduct } from './present.ts';
import type { ProductRecord, ProductRepository } from './repository.ts';
import { writeTerms } from './terms.ts';

export { type ProductRecord, ProductRepository } from './repository.ts';

/** Products by what an import did to them, by SKU. */
export interface CatalogueChanges {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly archived: readonly string[];
  readonly unchanged: readonly string[];
}

export class ProductService {
  readonly #db: Database;
  readonly #products: ProductRepository;
  readonly #clock: Clock;

  constructor(db: Database, products: ProductRepository, clock: Clock) {
    this.#db = db;
    this.#products = products;
    this.#clock = clock;
  }

  async list(caller: Caller, query: ProductListQuery): Promise<Product[]> {
    const found = await this.#products.list(caller, query);
    return found.map(presentProduct);
  }

  /** @throws NotFound also for one that is not offered to the caller */
  async show(caller: Caller, id: number): Promise<Product> {
    return presentProduct(orNotFound(await this.#products.find(caller, id)));
  }

  /**
   * Makes a seller's catalogue that of a YAML file: a product is known by its SKU, and one that the file lacks is archived.
   *
   * @param organizationId null for the operator's own shop
   * @throws InvalidCatalogue, and then nothing has changed
   */
  async importCatalogue(
    actor: Actor,
    organizationId: number | null,
    text: string,
  ): Promise<CatalogueChanges> {
    const { entries, terms } = readCatalogue(text);
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      await this.#products.lockCatalogue(tx, organizationId);
      const known = new Map(
        (await this.#products.ofSeller(tx, organizationId)).map((product) => [product.sku, product]),
      );
      const changes = { created: [], changed: [], archived: [], unchanged: [] } as Record<
        keyof CatalogueChanges,
        string[]
      >;
      const events: AuditEvent[] = [];
      const given = new Set(entries.map(({ sku }) => sku));
      for (const entry of entries) {
        const before = known.get(entry.sku);
        if (before === undefined) {
          await this.#products.add(tx, organizationId, entry, at);
          changes.created.push(entry.sku);
          events.push({
            action: 'product.created',
            organizationId,
            details: { sku: entry.sku, name: entry.name },
          });
          continue;
        }
        const differences = differencesOf(catalogueEntryOf(before), entry);
        changes[differences === undefined ? 'unchanged' : 'changed'].push(entry.sku);
        if (differences === undefined) continue;
        await this.#products.change(tx, before.id, entry, at);
        events.push({
          action: 'product.changed',
          organizationId,
          details: { sku: entry.sku, ...differences },
        });
      }
      for (const before of known.values()) {
        if (given.has(before.sku) || before.state === 'archived') continue;
        await this.#archive(tx, before, at);
        changes.archived.push(before.sku);
        events.push({
          action: 'product.archived',
          organizationId,
          details: { sku: before.sku, name: before.name },
        });
      }
      const termsBefore = await this.#products.termsOf(tx, organizationId);
      if (!isDeepStrictEqual(termsBefore, terms)) {
        await this.#products.setTerms(tx, organizationId, terms);
        events.push({
          action: 'shop.changed',
          organizationId,
          details: { from: writeTerms(termsBefore), to: writeTerms(terms) },
        });
      }
      await recordAudits(tx, actor, at, events);
      return changes;
    });
  }

  /** A seller's catalogue as a YAML file; archived products stand in it, too. */
  async exportCatalogue(organizationId: number | null): Promise<string> {
    const products = await this.#products.ofSeller(this.#db, organizationId);
    const terms = await this.#products.termsOf(this.#db, organizationId);
    return writeCatalogue({ entries: products.map(catalogueEntryOf), terms });
  }

  #archive(tx: Database, product: ProductRecord, at: Date): Promise<void> {
    return this.#products.change(tx, product.id, { ...catalogueEntryOf(product), state: 'archived' }, at);
  }
}

/** The fields that differ, each with what it was and becomes; undefined when none does. */
function differencesOf(
  before: CatalogueEntry,
  after: CatalogueEntry,
): Record<string, { readonly from: unknown; readonly to: unknown }> | undefined {
  const fields = (Object.keys(after) as (keyof CatalogueEntry)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map((field) => [field, { from: shown(before, field), to: shown(after, field) }]),
  );
}

function shown(entry: CatalogueEntry, field: keyof CatalogueEntry): unknown {
  return field === 'prices' ? entry.prices.map(moneyText).join(', ') : entry[field];
}
