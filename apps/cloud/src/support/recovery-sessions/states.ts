import type { RecoverySessionAccess, RecoveryState } from '@heliograph/contracts';
import { RECOVERY_ACCESSES } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';

export const HOUR_MS = 60 * 60 * 1000;

/** How long a request waits for an answer, in milliseconds. */
export const REQUEST_MS = 72 * HOUR_MS;

/** Longest session with its extensions, in milliseconds. */
export const MAX_SESSION_MS = 7 * 24 * HOUR_MS;

const POSSIBLE: Readonly<Record<RecoveryState, string>> = {
  requested: 'it can be approved, declined or withdrawn',
  active: 'it can be extended or ended',
  declined: 'another one can be requested',
  expired: 'another one can be requested',
  ended: 'another one can be requested',
};

/** The state does not allow it: 422 with what is possible. */
export class WrongRecoveryState extends Unprocessable {
  constructor(state: RecoveryState) {
    super(`The session is ${state}: ${POSSIBLE[state]}`);
  }
}

/** @throws WrongRecoveryState */
export function requireState(session: { readonly state: RecoveryState }, state: RecoveryState): void {
  if (session.state !== state) throw new WrongRecoveryState(session.state);
}

export function exceeds(access: RecoverySessionAccess, granted: RecoverySessionAccess): boolean {
  return RECOVERY_ACCESSES.indexOf(access) > RECOVERY_ACCESSES.indexOf(granted);
}
