/** Runs before the libraries are there, and asks for what the visit needs. */
import { isProbablySignedIn, loadEarly, sourceAt } from '../shared/routing/load-early.ts';
import { SIGN_IN, SOURCES } from './page-table.ts';
import { texts } from './texts.ts';

/** Resolves when the page that will be shown first is there, or could not be loaded. */
export const firstPage = isProbablySignedIn
  ? Promise.allSettled([import('./inside.tsx'), loadEarly(sourceAt(SOURCES, location.pathname), texts)])
  : loadEarly(SIGN_IN, texts);
