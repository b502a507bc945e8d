import type { Clock } from '@heliograph/kit';
import type { ConnectionPoller } from './connection-poller.ts';

/** A connection that fails for less is no news, in milliseconds: a lost poll happens on good cables. */
const SILENT_AFTER_MS = 10_000;

/** Since when each connection that does not answer has failed, in milliseconds since the epoch. */
export function silentConnections(
  pollers: readonly Pick<ConnectionPoller, 'status'>[],
  clock: Pick<Clock, 'now'>,
): readonly number[] {
  const beforeMs = clock.now() - SILENT_AFTER_MS;
  return pollers.flatMap(({ status: { state, since } }) =>
    state === 'failing' && since <= beforeMs ? [since] : [],
  );
}
