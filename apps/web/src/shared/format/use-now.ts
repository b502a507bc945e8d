import { useSyncExternalStore } from 'react';

/** How often ages on a page are computed again, in milliseconds. */
const EVERY_MS = 10_000;

const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

/** The time in ms since 1970, which moves every ten seconds: one timer for all readers of a page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(onChange: () => void): () => void {
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(tick, EVERY_MS);
  }
  readers.add(onChange);
  return () => {
    readers.delete(onChange);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const onChange of readers) onChange();
}
