import { useState } from 'react';
import { useSite } from '../site-context.tsx';

interface Typed<T> {
  readonly draft: T;
}

/**
 * State of a form that survives a visit to another tab of the site.
 *
 * @param name unique within the site
 * @param initial the value without input
 */
export function useDraft<T>(
  name: string,
  initial: T,
): [draft: T, change: (draft: T) => void, forget: () => void] {
  const { drafts } = useSite();
  const [typed, setTyped] = useState(() => drafts.get(name) as Typed<T> | undefined);
  const change = (draft: T): void => {
    drafts.set(name, { draft });
    setTyped({ draft });
  };
  const forget = (): void => {
    drafts.delete(name);
    setTyped(undefined);
  };
  return [typed === undefined ? initial : typed.draft, change, forget];
}
