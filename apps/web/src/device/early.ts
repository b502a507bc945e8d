/** Runs before the libraries are there, and asks for what the visit needs. */
import { isProbablySignedIn, loadEarly, sourceAt } from '../shared/routing/load-early.ts';
import { INSIDE, SIGN_IN, SOURCES } from './page-table.ts';
import { texts } from './texts.ts';

/** What will be shown first. */
export const beginning = loadEarly(
  isProbablySignedIn ? [INSIDE, sourceAt(SOURCES, location.pathname)] : [SIGN_IN],
  texts,
);
