import type { Organization } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { OrganizationService } from '../organizations/organizations/service.ts';

interface Home {
  /** Null for the service's own portal, which has no registration. */
  readonly organization: Organization | null;
  readonly isAtOwnHost: boolean;
}

/** The organization of the portal: pages show its name and colours, and new accounts become its customers. */
export class PortalHome {
  readonly #organizations: OrganizationService;
  readonly #fallbackId: number | null;

  /** @param fallbackId the organization that the operator has set for hosts that are no organization's own */
  constructor(organizations: OrganizationService, fallbackId: number | null) {
    this.#organizations = organizations;
    this.#fallbackId = fallbackId;
  }

  async at(host: string): Promise<Home> {
    const owner = await this.#organizations.findByHost(host);
    return { organization: owner ?? (await this.#fallback()) ?? null, isAtOwnHost: owner !== undefined };
  }

  async #fallback(): Promise<Organization | undefined> {
    if (this.#fallbackId === null) return this.#organizations.findOnly();
    return this.#organizations.show(this.#fallbackId).catch(unlessUnknown);
  }
}

/** It may be set before it is made. */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
