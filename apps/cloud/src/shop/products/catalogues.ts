import type { CatalogueChanges } from '@heliograph/contracts';
import { Forbidden, NotFound, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import {
  isManager,
  organizationPermissions,
  requireOperator,
} from '../../organizations/organizations/policy.ts';
import { organizationRole } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { InvalidCatalogue } from './catalogue.ts';
import type { CatalogueFiles } from './catalogue-files.ts';
import { compareCatalogue, replaceCatalogue } from './catalogue-import.ts';
import { CATALOGUES_PER_ACCOUNT } from './limits.ts';
import { catalogueEntryOf } from './present.ts';
import { productsOfSeller, termsOf } from './rows.ts';

/** Ground of the use cases of catalogues. */
export interface CataloguePlatform extends Platform {
  readonly catalogueFiles: CatalogueFiles;
}

type Ground = Pick<CataloguePlatform, 'db' | 'clock' | 'catalogueFiles'>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @param sellerId null for the operator's own shop @throws NotFound; Forbidden unless the caller manages the seller */
export async function getCatalogue(
  platform: CataloguePlatform,
  caller: Caller,
  sellerId: number | null,
): Promise<{ text: string }> {
  await requireSeller(platform.db, caller, sellerId);
  return { text: await exportCatalogue(platform, sellerId) };
}

/** @throws NotFound; Forbidden; TooManyRequests; ValidationError with each mistake of the file */
export async function previewCatalogue(
  platform: CataloguePlatform,
  caller: Caller,
  sellerId: number | null,
  file: Uint8Array,
): Promise<CatalogueChanges> {
  const text = await admit(platform, caller, sellerId, file);
  return withPlaces(async () =>
    compareCatalogue(platform, sellerId, await platform.catalogueFiles.read(text)),
  );
}

/** @throws as {@link previewCatalogue}, and then nothing has changed */
export async function importCatalogue(
  platform: CataloguePlatform,
  caller: Caller,
  sellerId: number | null,
  file: Uint8Array,
): Promise<CatalogueChanges> {
  const text = await admit(platform, caller, sellerId, file);
  return withPlaces(() => importCatalogueFile(platform, actorOf(caller), sellerId, text));
}

/**
 * Makes a seller's catalogue that of a YAML file: a product is known by its SKU, and one that the file lacks is archived.
 *
 * @throws InvalidCatalogue, and then nothing has changed
 */
export async function importCatalogueFile(
  platform: Ground,
  actor: Actor,
  sellerId: number | null,
  text: string,
): Promise<CatalogueChanges> {
  return replaceCatalogue(platform, actor, sellerId, await platform.catalogueFiles.read(text));
}

/** A seller's catalogue as a YAML file; archived products stand in it, too. */
export async function exportCatalogue(
  { db, catalogueFiles }: Ground,
  sellerId: number | null,
): Promise<string> {
  const products = await productsOfSeller(db, sellerId);
  const terms = await termsOf(db, sellerId);
  return catalogueFiles.write({ entries: products.map(catalogueEntryOf), terms });
}

/** @returns the text of a file that the caller may have read @throws NotFound; Forbidden; TooManyRequests; ValidationError */
async function admit(
  { db, limits }: Platform,
  caller: Caller,
  sellerId: number | null,
  file: Uint8Array,
): Promise<string> {
  await requireSeller(db, caller, sellerId);
  await limits.consume(CATALOGUES_PER_ACCOUNT, String(caller.userId));
  return textOf(file);
}

async function requireSeller(db: Database, caller: Caller, sellerId: number | null): Promise<void> {
  if (sellerId === null) {
    requireOperator(caller);
    return;
  }
  const role = await organizationRole(db, sellerId, caller.userId);
  if (role === undefined) throw new NotFound();
  if (!isManager(organizationPermissions(caller, sellerId, role)))
    throw new Forbidden('Only owners and admins of the seller, and operators, may do this');
}

/** @throws ValidationError */
function textOf(file: Uint8Array): string {
  try {
    return utf8.decode(file);
  } catch {
    throw new ValidationError({ file: ['must be text in UTF-8'] });
  }
}

/** Has each mistake of a file on its own, so that pages can list them. */
async function withPlaces<Result>(work: () => Promise<Result>): Promise<Result> {
  return await work().catch((error: unknown) => {
    throw error instanceof InvalidCatalogue ? new ValidationError({ file: error.problems }) : error;
  });
}
