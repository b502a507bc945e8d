import type { PortalPageSource } from '../pages.ts';

export const accountPages: readonly PortalPageSource[] = [];
