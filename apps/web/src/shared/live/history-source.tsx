import type { DeviceClient } from '@heliograph/client';
import { createContext, useContext } from 'react';
import { useLive } from './live-context.tsx';

/** Energy and curves of a site. */
export type HistorySource = Pick<DeviceClient, 'energy' | 'history'>;

/** Another source than the followed device, such as the cloud for a device that is offline. */
export const HistorySourceContext = createContext<HistorySource | undefined>(undefined);

/** The followed device, unless there is another source; undefined while there is neither. */
export function useHistorySource(): HistorySource | undefined {
  const { device } = useLive();
  return useContext(HistorySourceContext) ?? device;
}
