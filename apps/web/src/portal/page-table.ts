import type { PageSource } from '../shared/routing/page-source.ts';
import { accountPages } from './account/pages.ts';
import { consentPages } from './consent/pages.ts';
import { entryPages } from './entry/pages.ts';
import { operatorPages } from './operator/pages.ts';
import { organizationPages } from './organization/pages.ts';
import { sitePages } from './site/pages.ts';
import { sitesPages } from './sites/pages.ts';

export interface PortalPageSource extends PageSource {
  /** `anyone` is for those who are not signed in, too; `operator` for who runs the service. */
  readonly access: 'anyone' | 'user' | 'operator';
  /** Whether it stands alone, without the navigation of the portal. */
  readonly isBare?: boolean;
}

/** Every page of the portal, and how to load it. What asks for pages early reads it before any library is there. */
export const SOURCES: readonly PortalPageSource[] = [
  ...entryPages,
  ...consentPages,
  ...sitesPages,
  ...sitePages,
  ...accountPages,
  ...organizationPages,
  ...operatorPages,
];
