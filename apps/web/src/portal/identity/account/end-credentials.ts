import { ApiError } from '@heliograph/client';
import { cloud } from '../../session/cloud.ts';

/** @param endsMade whether what the sessions made ends, too */
export async function endSessions(ids: readonly number[], endsMade: boolean): Promise<void> {
  const query = endsMade ? { made: 'end' as const } : {};
  for (const id of ids) await endCredential(id, endsMade, () => cloud.endSession({ id, ...query }));
}

/** Revokes an API token, and ends what it made. */
export async function revokeToken(id: number): Promise<void> {
  await endCredential(id, true, () => cloud.revokeToken({ id, made: 'end' }));
}

/** A credential may have ended at an earlier attempt that failed before what it made had ended. */
async function endCredential(id: number, endsMade: boolean, end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    if (endsMade) await cloud.endDelegations({ token_id: id });
  }
}
