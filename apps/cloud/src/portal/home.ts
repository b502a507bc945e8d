import type { Organization } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { PortalPlatform } from './platform.ts';

interface Home {
  /** Null for the service's own portal, which has no registration. */
  readonly organization: Organization | null;
  readonly isAtOwnHost: boolean;
}

/**
 * The organization of the portal at a host: pages show its name and colours, and new accounts become its customers. At
 * hosts that are no organization's own it is the one that the operator has set.
 */
export async function portalHomeAt(platform: PortalPlatform, host: string): Promise<Home> {
  const owner = await platform.organizations.findByHost(host);
  return {
    organization: owner ?? (await fallback(platform)) ?? null,
    isAtOwnHost: owner !== undefined,
  };
}

async function fallback({ config, organizations }: PortalPlatform): Promise<Organization | undefined> {
  const { portalOrganizationId: id } = config;
  if (id === null) return organizations.findOnly();
  return organizations.show(id).catch(unlessUnknown);
}

/** It may be set before it is made. */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
