import type { Organization } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import {
  getOrganization,
  onlyOrganization,
  organizationAt,
} from '../organizations/organizations/organizations.ts';
import type { ServerPlatform } from '../platform.ts';

interface Home {
  /** Null for the service's own portal, which has no registration. */
  readonly organization: Organization | null;
  readonly isAtOwnHost: boolean;
}

/**
 * The organization of the portal at a host: pages show its name and colours, and new accounts become its customers. At
 * hosts that are no organization's own it is the one that the operator has set.
 */
export async function portalHomeAt(platform: ServerPlatform, host: string): Promise<Home> {
  const owner = await organizationAt(platform, host);
  return {
    organization: owner ?? (await fallback(platform)) ?? null,
    isAtOwnHost: owner !== undefined,
  };
}

async function fallback(platform: ServerPlatform): Promise<Organization | undefined> {
  const { portalOrganizationId: id } = platform.config;
  if (id === null) return onlyOrganization(platform);
  return getOrganization(platform, id).catch(unlessUnknown);
}

/** It may be set before it is made. */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
