import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { useLiveStatus } from '../../shared/live/live-context.tsx';
import { siteQuery } from './queries.ts';
import { useSite } from './site-context.tsx';

/** While the stream is away, how often the cloud is asked whether the device is there, in milliseconds. */
const WATCH_MS = 10_000;

const OnlineContext = createContext(false);

/** Finds out for all below whether the device can be reached: its stream tells, and while there is none, the cloud. */
export function WatchOnline({ children }: { readonly children: ReactNode }) {
  const { site } = useSite();
  const isLive = useLiveStatus().state === 'live';
  const { data = site } = useQuery({ ...siteQuery(site.id), refetchInterval: isLive ? false : WATCH_MS });
  return <OnlineContext value={isLive || data.online}>{children}</OnlineContext>;
}

export function useOnline(): boolean {
  return useContext(OnlineContext);
}
