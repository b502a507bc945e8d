import type { DeviceClient, MetricDefinition } from '@heliograph/client';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { type LiveStatus, type LiveValue, LiveValues } from './live-values.ts';

interface Live {
  readonly values: LiveValues;
  /** For other requests: history, settings. Undefined where values come from elsewhere, as in the catalogue. */
  readonly device: DeviceClient | undefined;
}

const LiveContext = createContext<Live | undefined>(undefined);

/** Follows a device for everything below. */
export function FollowDevice({ device, children }: { device: DeviceClient; children: ReactNode }) {
  const [values] = useState(() => new LiveValues());
  useEffect(() => {
    const check = (): void => values.check();
    values.follow(device);
    addEventListener('offline', check);
    return () => {
      removeEventListener('offline', check);
      values.stop();
    };
  }, [values, device]);
  return <LiveContext value={{ values, device }}>{children}</LiveContext>;
}

/** Provides values from another source than a device. */
export function ProvideValues({ values, children }: { values: LiveValues; children: ReactNode }) {
  return <LiveContext value={{ values, device: undefined }}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('Live values are shown inside of FollowDevice alone');
  return live;
}

/** One topic's value, and nothing but it makes the component render again. Undefined for a topic that is not there. */
export function useLiveValue(topic: string): LiveValue | undefined {
  const { values } = useLive();
  const subscribe = useCallback((listener: () => void) => values.onValue(topic, listener), [values, topic]);
  return useSyncExternalStore(subscribe, () => values.get(topic));
}

export function useLiveStatus(): LiveStatus {
  const { values } = useLive();
  const subscribe = useCallback((listener: () => void) => values.onStatus(listener), [values]);
  return useSyncExternalStore(subscribe, () => values.status);
}

export function useDefinitions(): readonly MetricDefinition[] {
  const { values } = useLive();
  const subscribe = useCallback((listener: () => void) => values.onDefinitions(listener), [values]);
  return useSyncExternalStore(subscribe, () => values.definitions);
}
