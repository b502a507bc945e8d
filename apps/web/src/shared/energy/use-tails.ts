import { useEffect, useState } from 'react';
import { useLive } from '../live/live-context.tsx';
import { extendTails, type Tails } from './tail.ts';

/** How often a curve takes in what is live, in milliseconds: often enough to be seen to move. */
const EVERY_MS = 10_000;

/** Live values of some topics as they were every ten seconds since this was shown. */
export function useTails(topics: readonly string[], isOn: boolean): Tails {
  const { values } = useLive();
  const [tails, setTails] = useState<Tails>(new Map());
  const key = topics.join(' ');
  useEffect(() => {
    if (!isOn) return;
    const take = (): void => {
      if (values.status.state !== 'live' || document.hidden) return;
      const time = Date.now() / 1000;
      setTails((before) =>
        extendTails(
          before,
          time,
          key.split(' ').map((topic) => [topic, known(values.get(topic)?.value)]),
        ),
      );
    };
    const timer = setInterval(take, EVERY_MS);
    return () => clearInterval(timer);
  }, [values, key, isOn]);
  return tails;
}

function known(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
