import type { AuditQuery, DeviceState } from '@heliograph/client';
import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged.ts';
import { cloud } from '../session/cloud.ts';

export const devicesQuery = (q: string, state: DeviceState | undefined) =>
  pagedQuery(['operator', 'devices', q, state], (page) =>
    cloud.devices.list({ q, ...(state && { state }), ...page }),
  );

export const proxiesQuery = queryOptions({
  queryKey: ['operator', 'proxies'],
  queryFn: () => cloud.proxies.list(),
});

export const usersQuery = (q: string) =>
  pagedQuery(['operator', 'users', q], (page) => cloud.users({ q, ...page }));

export const auditQuery = (filters: AuditQuery) =>
  pagedQuery(['operator', 'audit', filters], (page) => cloud.audit.all({ ...filters, ...page }));
