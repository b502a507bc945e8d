import { useState } from 'react';
import { useSite } from './site-context.tsx';

/**
 * State of a form that is still there when somebody has looked at another part of the site meanwhile.
 *
 * @param name which form of the site
 */
export function useDraft<T>(name: string, initial: T): [draft: T, change: (draft: T) => void, forget: () => void] {
  const { drafts } = useSite();
  const [draft, setDraft] = useState(() => (drafts.has(name) ? (drafts.get(name) as T) : initial));
  const change = (next: T): void => {
    drafts.set(name, next);
    setDraft(next);
  };
  const forget = (): void => {
    drafts.delete(name);
    setDraft(initial);
  };
  return [draft, change, forget];
}
