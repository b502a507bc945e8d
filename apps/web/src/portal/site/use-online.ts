import { useQuery } from '@tanstack/react-query';
import { useLiveStatus } from '../../shared/live/live-context.tsx';
import { siteQuery } from './queries.ts';
import { useSite } from './site-context.tsx';

/** While the stream is away, how often the cloud is asked whether the device is there, in milliseconds. */
const WATCH_MS = 15_000;

/** Whether the device can be reached: its stream tells, and while there is none, the cloud. */
export function useOnline(): boolean {
  const { site } = useSite();
  const { state } = useLiveStatus();
  const isLive = state === 'live';
  const { data } = useQuery({ ...siteQuery(site.id), refetchInterval: isLive ? false : WATCH_MS });
  return isLive || (data ?? site).online;
}
