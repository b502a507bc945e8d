/** Runs before the libraries are there, and asks for what the visit needs. */
import { isProbablySignedIn, preloadPages, sourceAt } from '../shared/routing/preload.ts';
import { AUTHENTICATED_LAYOUT, SIGN_IN, SOURCES } from './page-table.ts';
import { texts } from './texts.ts';

/** What will be shown first. */
export const preloaded = preloadPages(
  isProbablySignedIn ? [AUTHENTICATED_LAYOUT, sourceAt(SOURCES, location.pathname)] : [SIGN_IN],
  texts,
);
