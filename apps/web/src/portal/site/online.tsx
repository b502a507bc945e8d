import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useLiveStatus } from '../../shared/live/live-context.tsx';
import { siteQuery } from './queries.ts';
import { useSite } from './site-context.tsx';

/** While the stream is away, how often the cloud is asked whether the device is there, in milliseconds. */
const WATCH_MS = 10_000;

const OnlineContext = createContext(false);

/** Provides whether the device is reachable: by its live stream, and without one by the cloud. */
export function WatchOnline({ children }: { readonly children: ReactNode }) {
  const { site } = useSite();
  const { state } = useLiveStatus();
  const isLive = state === 'live';
  const isBroken = state === 'reconnecting' || state === 'refused';
  const { data = site, refetch } = useQuery({
    ...siteQuery(site.id),
    refetchInterval: isLive ? false : WATCH_MS,
  });
  // A stream may break because access was revoked: the cloud knows at once.
  useEffect(() => {
    if (isBroken) void refetch();
  }, [isBroken, refetch]);
  return <OnlineContext value={isLive || data.online}>{children}</OnlineContext>;
}

export function useOnline(): boolean {
  return useContext(OnlineContext);
}
