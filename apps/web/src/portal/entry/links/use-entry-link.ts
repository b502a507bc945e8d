import { useEffect, useLayoutEffect, useState } from 'react';
import { type EntryLink, entryLink, withoutSecrets } from './entry-link.ts';

/** The link that led here. Its secret leaves the address bar and the history at once. */
export function useEntryLink(): EntryLink | undefined {
  const [link, setLink] = useState(linkHere);
  useLayoutEffect(() => {
    if (link !== undefined) clearAddress();
  }, [link]);
  useEffect(() => {
    const follow = (): void => setLink((before) => linkHere() ?? before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return link;
}

function linkHere(): EntryLink | undefined {
  return entryLink(location.search, location.hash);
}

function clearAddress(): void {
  const query = withoutSecrets(location.search, location.hash);
  history.replaceState(history.state, '', `${location.pathname}${query}`);
}
