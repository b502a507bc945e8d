import type { DeviceConfiguration } from '@heliograph/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { device } from '../session/device.ts';

export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: ({ signal }) => device.configuration.get({ signal }),
});

export function useConfiguration(): DeviceConfiguration {
  return useSuspenseQuery(configurationQuery).data;
}
