import { alertPages } from './alerting/alerts/pages.ts';
import { consentPages } from './consent/pages.ts';
import { accountPages } from './identity/account/pages.ts';
import { entryPages } from './identity/entry/pages.ts';
import { operatorPages } from './operator/service/pages.ts';
import { staffPages } from './operator/staff/pages.ts';
import { organizationPages } from './organizations/pages.ts';
import type { PortalPageSource } from './routing/portal-page.ts';
import { orderPages } from './shop/orders/pages.ts';
import { shopPages } from './shop/shop/pages.ts';
import { sitesPages } from './sites/pages.ts';
import { sitePages } from './sites/site/pages.ts';
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
