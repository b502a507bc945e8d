/** Runs before the libraries have loaded, and requests the pages and data of the visit. */
import { loadTexts } from 'virtual:texts';
import { isProbablySignedIn, preloadPages, sourceAt } from '../shared/routing/preload.ts';
import { AUTHENTICATED_LAYOUT, SIGN_IN, SOURCES } from './page-table.ts';

export const preloaded = preloadPages(
  isProbablySignedIn ? [AUTHENTICATED_LAYOUT, sourceAt(SOURCES, location.pathname)] : [SIGN_IN],
  loadTexts,
);
