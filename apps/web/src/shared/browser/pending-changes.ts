let pending = 0;
const listeners = new Set<() => void>();

/** Counts a request that changes something until it ends. @returns what ends it */
export function beginChange(): () => void {
  count(1);
  return () => count(-1);
}

export function hasPendingChanges(): boolean {
  return pending > 0;
}

/** @returns what ends the subscription */
export function onPendingChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function count(difference: number): void {
  pending += difference;
  for (const listener of listeners) listener();
}
