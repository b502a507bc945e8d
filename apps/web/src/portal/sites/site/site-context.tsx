import type { DeviceClient, Site, SitePermission, SiteRole } from '@heliograph/client';
import { createContext, useContext } from 'react';

/** Unsent input of the forms of a site, for as long as the site is open. */
export type Drafts = Map<string, unknown>;

interface SiteOnPage {
  readonly site: Site;
  /** The reader's own role; null for employees of an organization and operators who have none. */
  readonly role: SiteRole | null;
  /** The permissions that the cloud grants the reader. */
  readonly may: (permission: SitePermission) => boolean;
  /** Undefined while there is no way to it. */
  readonly device: DeviceClient | undefined;
  readonly drafts: Drafts;
}

export const SiteContext = createContext<SiteOnPage | undefined>(undefined);

/** The site whose page this is. */
export function useSite(): SiteOnPage {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('Only a part of a site asks which site it is');
  return site;
}
