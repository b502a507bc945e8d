import { useEffect } from 'react';

/** How long a first view has the line for itself, in milliseconds. */
const HEAD_START_MS = 500;

let markShown: () => void;

/** Resolves a moment after the first view of a page. Parts further down are loaded then. */
export const afterFirstView = new Promise<void>((resolve) => {
  markShown = resolve;
});

/** For a page whose first view is shown once something has arrived. */
export function useFirstViewOf(isShown: boolean): void {
  useEffect(() => {
    if (isShown) markShown();
  }, [isShown]);
}

/** For a page, or beside one in the same Suspense: the first view is shown when it mounts. */
export function useFirstView(): void {
  useEffect(() => {
    const timer = setTimeout(markShown, HEAD_START_MS);
    return () => clearTimeout(timer);
  }, []);
}
