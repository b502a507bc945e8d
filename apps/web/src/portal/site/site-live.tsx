import { type ReactNode, useState } from 'react';
import { FollowDevice, ProvideValues } from '../../shared/live/live-context.tsx';
import { LiveValues } from '../../shared/live/live-values.ts';
import { WatchOnline } from './online.tsx';
import { useSite } from './site-context.tsx';

/** The device's values for all below; none where there is no way to the device, so that all else still shows. */
export function SiteLive({ children }: { readonly children: ReactNode }) {
  const { device } = useSite();
  const [none] = useState(() => new LiveValues());
  const watched = <WatchOnline>{children}</WatchOnline>;
  if (device === undefined) return <ProvideValues values={none}>{watched}</ProvideValues>;
  return <FollowDevice device={device}>{watched}</FollowDevice>;
}
