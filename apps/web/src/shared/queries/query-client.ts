import { ApiError } from '@heliograph/client';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { beginChange } from '../browser/pending-changes.ts';

/** How long an answer counts as fresh, in milliseconds: moving between pages requests nothing again. */
const STALE_TIME_MS = 15_000;

const MAX_RETRIES = 2;

const ends = new WeakMap<object, () => void>();

const mutationCache = new MutationCache({
  onMutate: (_variables, mutation) => void ends.set(mutation, beginChange()),
  onSettled: (_data, _error, _variables, _result, mutation) => ends.get(mutation)?.(),
});

export const queries = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: { staleTime: STALE_TIME_MS, retry: isWorthRetrying },
    // A change is never sent twice automatically.
    mutations: { retry: false },
  },
});

/** A refusal stays one. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const isRefused = error instanceof ApiError && error.status < 500;
  return !isRefused && failures < MAX_RETRIES;
}
