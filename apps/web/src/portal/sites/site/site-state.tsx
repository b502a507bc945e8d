import type { Site, SiteState } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { BannerState } from '../../../shared/live/banner-state.ts';
import { useLiveState } from '../../../shared/live/live-banner.tsx';
import { useLiveStatus } from '../../../shared/live/live-context.tsx';
import { siteQuery } from './queries.ts';
import { useSite } from './site-context.tsx';

/** How often the cloud's state of the site is read, while the stream is away and while it runs, in milliseconds. */
const WATCH_MS = 10_000;
const WATCH_LIVE_MS = 60_000;

const StateContext = createContext<SiteState>('never_seen');

/** Provides how the site stands: by its live stream, and for what that does not show by the cloud. */
export function WatchSiteState({ children }: { readonly children: ReactNode }) {
  const { site } = useSite();
  const { state } = useLiveStatus();
  const isLive = state === 'live';
  const isBroken = state === 'reconnecting' || state === 'refused';
  const { data = site, refetch } = useQuery({
    ...siteQuery(site.id),
    refetchInterval: isLive ? WATCH_LIVE_MS : WATCH_MS,
  });
  // A stream may break because access was revoked: the cloud knows at once.
  useEffect(() => {
    if (isBroken) void refetch();
  }, [isBroken, refetch]);
  return <StateContext value={stateOf(useLiveState(), data)}>{children}</StateContext>;
}

/** A stream proves that the device is online; one silent inverter among others is known to the cloud alone. */
function stateOf(live: BannerState, { state }: Pick<Site, 'state'>): SiteState {
  if (live === 'stale') return 'hardware_silent';
  if (live === 'live') return state === 'hardware_silent' ? state : 'online';
  return state;
}

export function useSiteState(): SiteState {
  return useContext(StateContext);
}

/** Whether the device is reachable. */
export function useOnline(): boolean {
  const state = useSiteState();
  return state === 'online' || state === 'hardware_silent';
}
