import type { PortalPageSource } from '../pages.ts';

export const sitePages: readonly PortalPageSource[] = [];
