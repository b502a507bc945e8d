import type { PortalPageSource } from '../pages.ts';

export const consentPages: readonly PortalPageSource[] = [];
