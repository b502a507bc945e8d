import { ApiError } from '@heliograph/client';
import type { QueryClient } from '@tanstack/react-query';

/** Calls somebody as soon as a request is refused because nobody is signed in, whichever part of the pages asked. */
export function onUnauthorized(queries: QueryClient, hear: () => void): void {
  const look = (error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) hear();
  };
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  queries.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
}
