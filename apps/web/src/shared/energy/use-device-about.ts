import type { DeviceAbout } from '@heliograph/client';
import { skipToken, useQuery } from '@tanstack/react-query';
import { deviceAboutKey } from '../live/device-key.ts';
import { useLive } from '../live/live-context.tsx';

/** In milliseconds: the answer changes when the device is configured. */
const STALE_TIME_MS = 60_000;

/** Undefined while it is unknown, or when the device does not answer. */
export function useDeviceAbout(): DeviceAbout | undefined {
  const { device } = useLive();
  const { data } = useQuery({
    queryKey: deviceAboutKey(device),
    queryFn: device === undefined ? skipToken : ({ signal }) => device.about({ signal }),
    staleTime: STALE_TIME_MS,
  });
  return data;
}
