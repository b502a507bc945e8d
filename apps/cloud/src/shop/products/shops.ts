import type { CatalogueChanges, Shop } from '@heliograph/contracts';
import { Forbidden, NotFound, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import {
  isManager,
  organizationPermissions,
  requireOperator,
} from '../../organizations/organizations/policy.ts';
import type { OrganizationService } from '../../organizations/organizations/service.ts';
import { InvalidCatalogue } from './catalogue.ts';
import { CATALOGUES_PER_ACCOUNT } from './limits.ts';
import type { ProductRepository } from './repository.ts';
import type { ProductService } from './service.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Shops and catalogues on the pages of the portal, which alone have these operations. */
export class ShopService {
  readonly #products: ProductService;
  readonly #records: ProductRepository;
  readonly #organizations: OrganizationService;
  readonly #limits: RateLimits;

  constructor(
    products: ProductService,
    records: ProductRepository,
    organizations: OrganizationService,
    limits: RateLimits,
  ) {
    this.#products = products;
    this.#records = records;
    this.#organizations = organizations;
    this.#limits = limits;
  }

  /**
   * The shop of the organization of the session, or the one whose customer the account is, or the operator's.
   *
   * @param host of the page; an organization that the account joined sells at its own host
   */
  async shopOf(caller: Caller, host: string): Promise<Shop> {
    const seller = await this.#sellerFor(caller, host);
    const organizationId = seller?.id ?? null;
    const terms = await this.#records.termsOf(organizationId);
    return {
      organization: seller ?? null,
      currencies: await this.#records.currenciesOf(organizationId),
      prices_include_tax: terms.prices_include_tax,
      devices: await this.#records.devicesOf(caller.userId),
      delivery: [...terms.shipping],
    };
  }

  /** Whether something is for sale to the caller. */
  async isOpen(caller: Caller, host: string): Promise<boolean> {
    const seller = await this.#sellerFor(caller, host);
    return (await this.#records.currenciesOf(seller?.id ?? null)).length > 0;
  }

  /** @throws NotFound; Forbidden unless the caller manages the seller */
  async exportCatalogue(caller: Caller, organizationId: number | null): Promise<string> {
    await this.#requireManager(caller, organizationId);
    return this.#products.exportCatalogue(organizationId);
  }

  /** @throws NotFound; Forbidden; TooManyRequests; ValidationError with each mistake of the file */
  async previewCatalogue(
    caller: Caller,
    organizationId: number | null,
    file: Uint8Array,
  ): Promise<CatalogueChanges> {
    await this.#requireManager(caller, organizationId);
    await this.#limits.consume(CATALOGUES_PER_ACCOUNT, String(caller.userId));
    return withPlaces(this.#products.previewCatalogue(organizationId, textOf(file)));
  }

  /** @throws as {@link previewCatalogue}, and then nothing has changed */
  async importCatalogue(
    caller: Caller,
    organizationId: number | null,
    file: Uint8Array,
  ): Promise<CatalogueChanges> {
    await this.#requireManager(caller, organizationId);
    await this.#limits.consume(CATALOGUES_PER_ACCOUNT, String(caller.userId));
    return withPlaces(this.#products.importCatalogue(actorOf(caller), organizationId, textOf(file)));
  }

  async #sellerFor(caller: Caller, host: string) {
    const page = await this.#organizations.findByHost(host);
    return this.#records.sellerFor(caller, page?.id ?? null);
  }

  async #requireManager(caller: Caller, organizationId: number | null): Promise<void> {
    if (organizationId === null) {
      requireOperator(caller);
      return;
    }
    const seller = await this.#records.seller(organizationId, caller.userId);
    if (seller === undefined) throw new NotFound();
    if (!isManager(organizationPermissions(caller, organizationId, seller.role)))
      throw new Forbidden('Only owners and admins of the seller, and operators, may do this');
  }
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
async function withPlaces<Result>(result: Promise<Result>): Promise<Result> {
  return await result.catch((error: unknown) => {
    throw error instanceof InvalidCatalogue ? new ValidationError({ file: error.problems }) : error;
  });
}
