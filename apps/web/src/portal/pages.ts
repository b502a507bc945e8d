import { type LazyPage, pagesOf } from '../shared/routing/lazy-page.ts';
import { SOURCES } from './page-table.ts';
import type { PortalPageSource } from './parts/portal-page.ts';

export type PortalPage = PortalPageSource & LazyPage;

/** Every page of the portal. */
export const PAGES: readonly PortalPage[] = pagesOf(SOURCES);
