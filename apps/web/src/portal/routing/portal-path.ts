import type { cloudOperations } from '@heliograph/contracts/operations';
import { pathOf } from '@heliograph/contracts/operations/path-of';

type Operations = typeof cloudOperations;

/**
 * The path at which pages call an operation, for preloads: the compiler compares the route with that of the operation,
 * because a script that loaded the table first would preload late.
 */
export function portalPath<Id extends keyof Operations>(
  route: Operations[Id]['route'],
  parameters?: Readonly<Record<string, unknown>>,
): string {
  return `/portal${pathOf(route, parameters)}`;
}
