import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';

/** The values of several topics; null where one is unknown or no number. The same array until one changes. */
export function useLiveNumbers(topics: readonly string[]): readonly (number | null)[] {
  const { values } = useLive();
  const last = useRef<readonly (number | null)[]>([]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = topics.map((topic) => values.onValue(topic, listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [values, topics],
  );
  return useSyncExternalStore(subscribe, () => {
    const now = topics.map((topic) => {
      const value = values.get(topic)?.value;
      return typeof value === 'number' ? value : null;
    });
    const isSame =
      now.length === last.current.length && now.every((value, index) => value === last.current[index]);
    if (!isSame) last.current = now;
    return last.current;
  });
}
