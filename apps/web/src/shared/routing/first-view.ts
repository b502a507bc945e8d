import { useEffect } from 'react';

/** How long a first view has the line for itself, in milliseconds. */
const HEAD_START_MS = 250;

let tell: () => void;

/** Resolves a moment after a page has shown what people came for. What nobody looks for first is loaded then. */
export const afterFirstView = new Promise<void>((resolve) => {
  tell = resolve;
});

/** For a page, or beside one within the same Suspense: when it is mounted, the first view is there. */
export function useFirstView(): void {
  useEffect(() => {
    const timer = setTimeout(tell, HEAD_START_MS);
    return () => clearTimeout(timer);
  }, []);
}
