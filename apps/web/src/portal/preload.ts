/** Runs before the libraries are there, and asks for what the visit needs. */
import { loadTexts } from 'virtual:texts';
import { isProbablySignedIn, preloadPages, sourceAt } from '../shared/routing/preload.ts';
import { SOURCES } from './page-table.ts';

// Links in mails lead to the path of the sign-in page too, with another content.
if (location.hash !== '' || location.search.includes('to_site=')) {
  document.getElementById('root')?.replaceChildren();
}

// A link to the page itself would lose what stands there, and with it what the mail was sent for.
document.addEventListener('click', (event) => {
  if (location.hash === '' || !(event.target instanceof Element && event.target.matches('#slow-load a')))
    return;
  event.preventDefault();
  location.reload();
});

const requested = sourceAt(SOURCES, location.pathname);
const isOpen = requested?.access === 'anyone' || isProbablySignedIn;

/** The page that will be shown first. */
export const preloaded = preloadPages([isOpen ? requested : sourceAt(SOURCES, '/sign_in')], loadTexts);
