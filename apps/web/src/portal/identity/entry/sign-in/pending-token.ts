import { ApiError } from '@heliograph/client';

/** The token that signs in once the email address is confirmed; undefined when something else was wrong. */
export function pendingTokenOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  if (error.body.next_step !== 'click_email_link') return undefined;
  const { pending_token: token } = error.body;
  return typeof token === 'string' ? token : undefined;
}
