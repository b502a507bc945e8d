import { browserStorage } from '../../../shared/browser/browser-storage.ts';
import { SITE_LAYOUTS, type SiteLayout } from './search.ts';

const KEY = 'heliograph_sites_layout';

/** The layout of an address that names none: the one that was chosen last in this browser. */
export function rememberedLayout(): SiteLayout {
  const [first] = SITE_LAYOUTS;
  const kept = browserStorage.get(KEY);
  return SITE_LAYOUTS.find((layout) => layout === kept) ?? first;
}

export function rememberLayout(layout: SiteLayout): void {
  browserStorage.set(KEY, layout);
}
