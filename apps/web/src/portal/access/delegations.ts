import type { Delegation } from '@heliograph/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { cloud } from '../session/cloud.ts';

export const delegationsQuery = queryOptions({
  queryKey: ['account', 'delegations'],
  queryFn: () => cloud.listDelegations(),
});

/** The delegations that sessions or API tokens made. */
export function useMadeBy(tokenIds: readonly number[]): readonly Delegation[] {
  const { data = [] } = useQuery(delegationsQuery);
  return data.filter(({ credential }) => credential !== null && tokenIds.includes(credential.id));
}
