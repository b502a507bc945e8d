import type { PortalPageSource } from '../pages.ts';

export const organizationPages: readonly PortalPageSource[] = [];
