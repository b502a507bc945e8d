import { type LazyPage, pagesOf } from '../shared/routing/lazy-page.ts';
import { type PortalPageSource, SOURCES } from './page-table.ts';

export type PortalPage = PortalPageSource & LazyPage;

/** Every page of the portal. */
export const PAGES: readonly PortalPage[] = pagesOf(SOURCES);
