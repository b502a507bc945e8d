import type { PortalPageSource } from '../pages.ts';

export const operatorPages: readonly PortalPageSource[] = [];
