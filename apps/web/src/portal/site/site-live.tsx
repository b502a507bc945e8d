import { type ReactNode, useState } from 'react';
import { FollowDevice, ProvideValues } from '../../shared/live/live-context.tsx';
import { LiveValues } from '../../shared/live/live-values.ts';
import { useSite } from './site-context.tsx';

/** The device's values for all below; none where there is no way to the device, so that all else still shows. */
export function SiteLive({ children }: { readonly children: ReactNode }) {
  const { device } = useSite();
  const [none] = useState(() => new LiveValues());
  if (device === undefined) return <ProvideValues values={none}>{children}</ProvideValues>;
  return <FollowDevice device={device}>{children}</FollowDevice>;
}
