import type { PortalPageSource } from '../pages.ts';

export const entryPages: readonly PortalPageSource[] = [];
