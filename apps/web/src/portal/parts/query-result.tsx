import type { ReactNode } from 'react';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';

/** As TanStack Query answers, whichever of its hooks was asked. */
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

/** What was asked for, once it is there; before that it is on its way, or what went wrong is told. */
export function QueryResult<T>({ query, children }: QueryResultProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
}
