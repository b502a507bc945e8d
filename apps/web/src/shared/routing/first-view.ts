import { useEffect } from 'react';

/** How long a first view has the line for itself, in milliseconds. */
const HEAD_START_MS = 250;

let markShown: () => void;

/** Resolves a moment after the first view of a page. Parts further down are loaded then. */
export const afterFirstView = new Promise<void>((resolve) => {
  markShown = resolve;
});

/** For a page, or beside one in the same Suspense: the first view is shown when it mounts. */
export function useFirstView(): void {
  useEffect(() => {
    const timer = setTimeout(markShown, HEAD_START_MS);
    return () => clearTimeout(timer);
  }, []);
}
