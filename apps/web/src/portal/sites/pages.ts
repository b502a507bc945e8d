import type { PortalPageSource } from '../pages.ts';

export const sitesPages: readonly PortalPageSource[] = [];
