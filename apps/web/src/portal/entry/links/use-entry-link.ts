import { useEffect, useLayoutEffect, useState } from 'react';
import { type EntryLink, entryLink, withoutSecrets } from './entry-link.ts';

interface Followed {
  /** Undefined where nothing but the page itself was wanted. */
  readonly link: EntryLink | undefined;
  /** Goes on with the page itself. */
  readonly leave: () => void;
}

/** The link that led here. Its secret leaves the address bar and the history at once. */
export function useEntryLink(): Followed {
  const [link, setLink] = useState(linkHere);
  useLayoutEffect(() => {
    if (link !== undefined) clearAddress();
  }, [link]);
  useEffect(() => {
    const follow = (): void => setLink((before) => linkHere() ?? before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return { link, leave: () => setLink(undefined) };
}

function linkHere(): EntryLink | undefined {
  return entryLink(location.search, location.hash);
}

function clearAddress(): void {
  const query = withoutSecrets(location.search, location.hash);
  history.replaceState(history.state, '', `${location.pathname}${query}`);
}
