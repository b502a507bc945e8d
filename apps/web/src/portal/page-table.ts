import { accountPages } from './account/pages.ts';
import { alertPages } from './alerts/pages.ts';
import { consentPages } from './consent/pages.ts';
import { entryPages } from './entry/pages.ts';
import { operatorPages } from './operator/pages.ts';
import { orderPages } from './orders/pages.ts';
import { organizationPages } from './organization/pages.ts';
import type { PortalPageSource } from './parts/portal-page.ts';
import { shopPages } from './shop/pages.ts';
import { sitePages } from './site/pages.ts';
import { sitesPages } from './sites/pages.ts';
import { staffPages } from './staff/pages.ts';
import { supportPages } from './support/pages.ts';

/** Every page of the portal, and how to load it. What asks for pages early reads it before any library is there. */
export const SOURCES: readonly PortalPageSource[] = [
  ...entryPages,
  ...consentPages,
  ...sitesPages,
  ...sitePages,
  ...alertPages,
  ...accountPages,
  ...orderPages,
  ...shopPages,
  ...supportPages,
  ...staffPages,
  ...organizationPages,
  ...operatorPages,
];
