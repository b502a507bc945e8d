import { useEffect, useId, useSyncExternalStore } from 'react';

/** Forms of this page whose input was neither sent nor discarded. */
const forms = new Set<string>();
const listeners = new Set<() => void>();

/** Keeps the page from loading again by itself while a form has input that is not sent. */
export function useUnsentInput(isUnsent: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsent) return;
    forms.add(id);
    notify();
    return () => {
      forms.delete(id);
      notify();
    };
  }, [id, isUnsent]);
}

/** Whether a form of this page has input that is not sent. */
export function useHasUnsentInput(): boolean {
  return useSyncExternalStore(subscribe, () => forms.size > 0);
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
