import { isDeepStrictEqual } from 'node:util';
import { type CatalogueChanges, moneyText, type ShopTerms } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { sql } from 'kysely';
import { type Actor, type AuditEvent, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import type { Platform } from '../../platform.ts';
import type { Catalogue, CatalogueEntry } from './catalogue.ts';
import { catalogueEntryOf } from './present.ts';
import { type ProductRecord, productsOfSeller, termsOf } from './rows.ts';
import { writeTerms } from './terms.ts';

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

/**
 * Makes a seller's catalogue another: a product is known by its SKU, and one that the catalogue lacks is archived.
 *
 * @param organizationId null for the operator's own shop
 * @throws NotFound for a seller that is closed
 */
export async function replaceCatalogue(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  actor: Actor,
  organizationId: number | null,
  catalogue: Catalogue,
): Promise<CatalogueChanges> {
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    if ((await openOrganization(tx, organizationId)) !== organizationId) throw new NotFound();
    await lockCatalogue(tx, organizationId);
    const plan = await planOf(tx, organizationId, catalogue);
    const { created, changed, archived, terms } = plan;
    const events: AuditEvent[] = [];
    for (const entry of created) {
      await addProduct(tx, organizationId, entry, at);
      const details = { sku: entry.sku, name: entry.name };
      events.push({ action: 'product.created', organizationId, details });
    }
    for (const { id, entry, differences } of changed) {
      await changeProduct(tx, id, entry, at);
      const details = { sku: entry.sku, ...differences };
      events.push({ action: 'product.changed', organizationId, details });
    }
    for (const product of archived) {
      await changeProduct(tx, product.id, { ...catalogueEntryOf(product), state: 'archived' }, at);
      const details = { sku: product.sku, name: product.name };
      events.push({ action: 'product.archived', organizationId, details });
    }
    if (terms !== undefined) {
      await setTerms(tx, organizationId, terms.to);
      const details = { from: writeTerms(terms.from), to: writeTerms(terms.to) };
      events.push({ action: 'shop.changed', organizationId, details });
    }
    await recordAudits(tx, actor, at, events);
    return changesOf(plan);
  });
}

/** The changes that a catalogue would make. */
export async function compareCatalogue(
  { db }: Pick<Platform, 'db'>,
  organizationId: number | null,
  catalogue: Catalogue,
): Promise<CatalogueChanges> {
  return changesOf(await planOf(db, organizationId, catalogue));
}

async function planOf(
  db: Database,
  organizationId: number | null,
  { entries, terms }: Catalogue,
): Promise<ImportPlan> {
  const products = await productsOfSeller(db, organizationId);
  const known = new Map(products.map((product) => [product.sku, product]));
  const given = new Set(entries.map(({ sku }) => sku));
  const termsBefore = await termsOf(db, organizationId);
  const compared = entries.flatMap((entry) => {
    const before = known.get(entry.sku);
    if (before === undefined) return [];
    return [{ id: before.id, entry, differences: differencesOf(catalogueEntryOf(before), entry) }];
  });
  return {
    created: entries.filter(({ sku }) => !known.has(sku)),
    changed: compared.flatMap(({ differences, ...rest }) => (differences ? [{ ...rest, differences }] : [])),
    archived: products.filter(({ sku, state }) => !given.has(sku) && state !== 'archived'),
    unchanged: compared.flatMap(({ entry, differences }) => (differences ? [] : [entry])),
    terms: isDeepStrictEqual(termsBefore, terms) ? undefined : { from: termsBefore, to: terms },
  };
}

/** Holds other imports of the seller's catalogue up until the transaction ends. */
async function lockCatalogue(tx: Database, organizationId: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('products'), ${organizationId ?? 0})`.execute(tx);
}

async function addProduct(
  tx: Database,
  organizationId: number | null,
  entry: CatalogueEntry,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('products')
    .values({ ...columnsOf(entry), organization_id: organizationId, created_at: at, updated_at: at })
    .execute();
}

async function changeProduct(tx: Database, id: number, entry: CatalogueEntry, at: Date): Promise<void> {
  await tx
    .updateTable('products')
    .set({ ...columnsOf(entry), updated_at: at })
    .where('id', '=', id)
    .execute();
}

function columnsOf({ prices, licence, ...entry }: CatalogueEntry) {
  return { ...entry, prices: JSON.stringify(prices), licence: licence && JSON.stringify(licence) };
}

async function setTerms(tx: Database, organizationId: number | null, terms: ShopTerms): Promise<void> {
  const row = { seller: organizationId ?? 0, terms: JSON.stringify(terms) };
  await tx
    .insertInto('shop_terms')
    .values(row)
    .onConflict((conflict) => conflict.column('seller').doUpdateSet({ terms: row.terms }))
    .execute();
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
