import type { ReactNode } from 'react';
import { Failure } from '../../../shared/components/states/failure.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';

/** The state of a query, of any hook of TanStack Query. */
interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isError: boolean;
  readonly refetch: () => unknown;
}

interface QueryResultProps<T> {
  readonly query: QueryState<T>;
  readonly children: (data: T) => ReactNode;
}

/** The data of a query; before that its progress or failure. */
export function QueryResult<T>({ query, children }: QueryResultProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
}
