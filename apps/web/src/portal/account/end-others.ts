import { ApiError, type SessionSummary } from '@heliograph/client';
import { cloud } from '../session/cloud.ts';

/** Ends sessions; one that has ended meanwhile is as good. */
export async function revokeSessions(sessions: readonly SessionSummary[]): Promise<void> {
  for (const { id } of sessions) {
    try {
      await cloud.tokens.endSession(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
}
