import type { Delegation } from '@heliograph/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { cloud } from '../session/cloud.ts';

export const delegationsQuery = queryOptions({
  queryKey: ['account', 'delegations'],
  queryFn: () => cloud.listDelegations(),
});

/** The delegations that a session or an API token made. */
export function useMadeBy(tokenId: number): readonly Delegation[] {
  const { data = [] } = useQuery(delegationsQuery);
  return data.filter(({ credential }) => credential?.id === tokenId);
}
