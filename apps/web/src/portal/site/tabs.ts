import { pagesOf } from '../../shared/routing/lazy-page.ts';
import { TAB_SOURCES } from './tab-table.ts';

/** The parts of a site, ready to be loaded. */
export const TABS = pagesOf(TAB_SOURCES);
