import { isDeepStrictEqual } from 'node:util';
import {
  type CatalogueChanges,
  moneyText,
  type Product,
  type ProductListQuery,
  type ShopTerms,
} from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, type AuditEvent, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import type { Catalogue, CatalogueEntry } from './catalogue.ts';
import { CatalogueFiles } from './catalogue-files.ts';
import { catalogueEntryOf, presentProduct } from './present.ts';
import type { ProductRecord, ProductRepository } from './repository.ts';
import { writeTerms } from './terms.ts';

export { type ProductRecord, ProductRepository } from './repository.ts';

type Differences = Record<string, { readonly from: unknown; readonly to: unknown }>;

/** How a seller's products differ from those of a file. */
interface ImportPlan {
  readonly created: readonly CatalogueEntry[];
  readonly changed: readonly {
    readonly id: number;
    readonly entry: CatalogueEntry;
    readonly differences: Differences;
  }[];
  readonly archived: readonly ProductRecord[];
  readonly unchanged: readonly CatalogueEntry[];
  /** Undefined where they are as before. */
  readonly terms: { readonly from: ShopTerms; readonly to: ShopTerms } | undefined;
}

export class ProductService {
  readonly #db: Database;
  readonly #products: ProductRepository;
  readonly #clock: Clock;
  readonly #files = new CatalogueFiles();

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
    const catalogue = await this.#files.read(text);
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      if ((await openOrganization(tx, organizationId)) !== organizationId) throw new NotFound();
      await this.#products.lockCatalogue(tx, organizationId);
      const plan = await this.#planOf(tx, organizationId, catalogue);
      const { created, changed, archived, terms } = plan;
      const events: AuditEvent[] = [];
      for (const entry of created) {
        await this.#products.add(tx, organizationId, entry, at);
        const details = { sku: entry.sku, name: entry.name };
        events.push({ action: 'product.created', organizationId, details });
      }
      for (const { id, entry, differences } of changed) {
        await this.#products.change(tx, id, entry, at);
        const details = { sku: entry.sku, ...differences };
        events.push({ action: 'product.changed', organizationId, details });
      }
      for (const product of archived) {
        await this.#archive(tx, product, at);
        const details = { sku: product.sku, name: product.name };
        events.push({ action: 'product.archived', organizationId, details });
      }
      if (terms !== undefined) {
        await this.#products.setTerms(tx, organizationId, terms.to);
        const details = { from: writeTerms(terms.from), to: writeTerms(terms.to) };
        events.push({ action: 'shop.changed', organizationId, details });
      }
      await recordAudits(tx, actor, at, events);
      return changesOf(plan);
    });
  }

  /** The changes that an import of a file would make. @throws InvalidCatalogue */
  async previewCatalogue(organizationId: number | null, text: string): Promise<CatalogueChanges> {
    return changesOf(await this.#planOf(this.#db, organizationId, await this.#files.read(text)));
  }

  async #planOf(
    db: Database,
    organizationId: number | null,
    { entries, terms }: Catalogue,
  ): Promise<ImportPlan> {
    const products = await this.#products.ofSeller(db, organizationId);
    const known = new Map(products.map((product) => [product.sku, product]));
    const given = new Set(entries.map(({ sku }) => sku));
    const termsBefore = await this.#products.termsOf(organizationId, db);
    const compared = entries.flatMap((entry) => {
      const before = known.get(entry.sku);
      if (before === undefined) return [];
      return [{ id: before.id, entry, differences: differencesOf(catalogueEntryOf(before), entry) }];
    });
    return {
      created: entries.filter(({ sku }) => !known.has(sku)),
      changed: compared.flatMap(({ differences, ...rest }) =>
        differences ? [{ ...rest, differences }] : [],
      ),
      archived: products.filter(({ sku, state }) => !given.has(sku) && state !== 'archived'),
      unchanged: compared.flatMap(({ entry, differences }) => (differences ? [] : [entry])),
      terms: isDeepStrictEqual(termsBefore, terms) ? undefined : { from: termsBefore, to: terms },
    };
  }

  /** A seller's catalogue as a YAML file; archived products stand in it, too. */
  async exportCatalogue(organizationId: number | null): Promise<string> {
    const products = await this.#products.ofSeller(this.#db, organizationId);
    const terms = await this.#products.termsOf(organizationId);
    return this.#files.write({ entries: products.map(catalogueEntryOf), terms });
  }

  #archive(tx: Database, product: ProductRecord, at: Date): Promise<void> {
    return this.#products.change(tx, product.id, { ...catalogueEntryOf(product), state: 'archived' }, at);
  }
}

function changesOf({ created, changed, archived, unchanged, terms }: ImportPlan): CatalogueChanges {
  const skusOf = (products: readonly { readonly sku: string }[]) => products.map(({ sku }) => sku);
  return {
    created: skusOf(created),
    changed: skusOf(changed.map(({ entry }) => entry)),
    archived: skusOf(archived),
    unchanged: skusOf(unchanged),
    terms_changed: terms !== undefined,
  };
}

/** The fields that differ, each with what it was and becomes; undefined when none does. */
function differencesOf(before: CatalogueEntry, after: CatalogueEntry): Differences | undefined {
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
