import { SITE_LAYOUTS, type SiteLayout } from './search.ts';

const KEY = 'heliograph_sites_layout';

/** The layout of an address that names none: the one that was chosen last in this browser. */
export function rememberedLayout(): SiteLayout {
  const [first] = SITE_LAYOUTS;
  try {
    const kept = localStorage.getItem(KEY);
    return SITE_LAYOUTS.find((layout) => layout === kept) ?? first;
  } catch {
    // A browser that keeps nothing for pages throws.
    return first;
  }
}

export function rememberLayout(layout: SiteLayout): void {
  try {
    localStorage.setItem(KEY, layout);
  } catch {
    // The address has it.
  }
}
