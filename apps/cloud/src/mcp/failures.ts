import { AppError } from '@heliograph/kit';

/** Why a site did not answer, in a word for programs. */
export type SiteFailureReason = 'offline' | 'outdated' | 'busy' | 'failed';

/** A site is unreachable, or refused the call; the message is for the agent. */
export class SiteFailure extends AppError {
  readonly reason: SiteFailureReason;

  constructor(reason: SiteFailureReason, message: string) {
    super(message, { code: `site_${reason}`, status: 502, expose: true });
    this.reason = reason;
  }
}
