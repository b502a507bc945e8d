import { ApiError } from '@heliograph/client';
import type { QueryClient } from '@tanstack/react-query';

/** Calls the listener on every 401, whichever query or mutation it answers. */
export function onUnauthorized(queries: QueryClient, listener: () => void): void {
  const check = (error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) listener();
  };
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
  });
  queries.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
  });
}
