import type { DeviceClient } from '@heliograph/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { DelegationsCard } from '../../shared/delegations/delegations-card.tsx';

const configurationQuery = (siteId: number, device: DeviceClient) =>
  queryOptions({
    queryKey: ['site', siteId, 'configuration'],
    queryFn: ({ signal }) => device.configuration.get({ signal }),
  });

/** Delegations in the configuration of the site's device. */
export function Delegations({ siteId, device }: { readonly siteId: number; readonly device: DeviceClient }) {
  const queries = useQueryClient();
  const query = configurationQuery(siteId, device);
  const { data } = useQuery(query);
  if (data === undefined) return null;
  const { keepDelegation, endDelegation } = device.configuration;
  return (
    <DelegationsCard
      delegations={data.delegations}
      onKeep={async (id) => queries.setQueryData(query.queryKey, await keepDelegation(id))}
      onEnd={async (id) => queries.setQueryData(query.queryKey, await endDelegation(id))}
    />
  );
}
