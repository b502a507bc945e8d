import type { Namespace } from '../shared/i18n/namespaces.ts';
import { type LazyPage, lazyPage } from '../shared/routing/lazy-page.ts';
import { accountPages } from './account/pages.ts';
import { consentPages } from './consent/pages.ts';
import { entryPages } from './entry/pages.ts';
import { operatorPages } from './operator/pages.ts';
import { organizationPages } from './organization/pages.ts';
import { sitePages } from './site/pages.ts';
import { sitesPages } from './sites/pages.ts';

export interface PortalPage extends LazyPage {
  /** A pattern of wouter, such as `/sites/:id`. */
  readonly path: string;
  /** `anyone` is for those who are not signed in, too; `operator` for who runs the service. */
  readonly access: 'anyone' | 'user' | 'operator';
  /** Whether it stands alone, without the navigation of the portal. */
  readonly isBare: boolean;
}

export interface PortalPageSource {
  readonly path: string;
  readonly access: PortalPage['access'];
  readonly isBare?: boolean;
  readonly texts: readonly Namespace[];
  readonly load: Parameters<typeof lazyPage>[0];
}

const SOURCES: readonly PortalPageSource[] = [
  ...entryPages,
  ...consentPages,
  ...sitesPages,
  ...sitePages,
  ...accountPages,
  ...organizationPages,
  ...operatorPages,
];

/** Every page of the portal, the first that matches a path is shown. */
export const PAGES: readonly PortalPage[] = SOURCES.map(({ path, access, isBare = false, texts, load }) => ({
  path,
  access,
  isBare,
  ...lazyPage(load, texts),
}));
