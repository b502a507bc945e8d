import type { MetricChange, MetricDefinition, StreamOptions } from '@heliograph/client';
import { type ReactNode, useEffect, useState } from 'react';
import { ProvideValues } from '../shared/live/live-context.tsx';
import { type LiveSource, type LiveStatus, LiveValues } from '../shared/live/live-values.ts';

interface PretendSiteProps {
  readonly state?: LiveStatus['state'];
  readonly definitions?: readonly MetricDefinition[];
  readonly values?: readonly MetricChange[];
  /** New values, every second. */
  readonly next?: () => readonly MetricChange[];
  readonly children: ReactNode;
}

/** As often as a device reads its hardware, in milliseconds. */
const EVERY_MS = 1_000;

/** A site whose values and connection are as a specimen wants them. */
export function DemoSite({
  state = 'live',
  definitions = [],
  values = [],
  next,
  children,
}: PretendSiteProps) {
  const [live] = useState(() => new LiveValues());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a specimen is what it is from the beginning
  useEffect(() => {
    live.follow(source(state, definitions, values));
    const timer = setInterval(() => {
      for (const { topic, value } of next?.() ?? []) live.put(topic, { value, stale: false });
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      live.stop();
    };
  }, [live]);
  return <ProvideValues values={live}>{children}</ProvideValues>;
}

function source(
  state: LiveStatus['state'],
  definitions: readonly MetricDefinition[],
  values: readonly MetricChange[],
): LiveSource {
  return {
    stream: ({ onDefinitions, onMetrics, onStatus }: StreamOptions) => {
      if (state === 'live' || state === 'reconnecting') onStatus?.({ state: 'live' });
      onDefinitions?.(definitions);
      onMetrics?.(values);
      if (state === 'reconnecting') onStatus?.({ state, reason: 'the connection was lost' });
      let close: () => void = () => undefined;
      const ended = new Promise<void>((resolve, reject) => {
        close = resolve;
        if (state === 'refused') reject(new Error('the credentials are good no more'));
      });
      return { ended, check: () => undefined, close: () => close() };
    },
  };
}
