import type { LazyPage } from '../shared/routing/lazy-page.ts';
import { type PageSource, pagesOf } from '../shared/routing/page-source.ts';
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

export type PortalPage = PortalPageSource & LazyPage;

const SOURCES: readonly PortalPageSource[] = [
  ...entryPages,
  ...consentPages,
  ...sitesPages,
  ...sitePages,
  ...accountPages,
  ...organizationPages,
  ...operatorPages,
];

/** Every page of the portal. */
export const PAGES: readonly PortalPage[] = pagesOf(SOURCES);
