import { useEffect, useState } from 'react';

/**
 * Does what browsers do when another document comes, for another page of the same one: shows it from its top, and tells
 * whoever hears pages. Going back stays as it is, where browsers know how far somebody had scrolled.
 *
 * @param content the id of what holds the pages: it gets the focus where that went away with the page before
 * @returns the title of the page that has come, for a live region; empty on the first one
 */
export function usePageChange(content: string): string {
  const [arrived, setArrived] = useState('');
  useEffect(() => {
    let here = location.pathname;
    let told = { path: here, title: document.title };
    const toTop = (): void => {
      if (location.pathname !== here) window.scrollTo(0, 0);
      here = location.pathname;
    };
    const goneBack = (): void => {
      here = location.pathname;
    };
    // A page says its title when it is there, however long it took to load.
    const titles = new MutationObserver(() => {
      const now = { path: location.pathname, title: document.title };
      if (now.title === told.title) return;
      const isAnother = now.path !== told.path;
      told = now;
      if (!isAnother) return;
      setArrived(now.title);
      if (document.activeElement === document.body) {
        document.getElementById(content)?.focus({ preventScroll: true });
      }
    });
    titles.observe(document.head, { subtree: true, childList: true });
    // The event of wouter's navigation.
    window.addEventListener('pushState', toTop);
    window.addEventListener('popstate', goneBack);
    return () => {
      titles.disconnect();
      window.removeEventListener('pushState', toTop);
      window.removeEventListener('popstate', goneBack);
    };
  }, [content]);
  return arrived;
}
