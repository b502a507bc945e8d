import type { WriteFailureFields } from '@heliograph/contracts';
import { AppError } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';

interface WriteFailureOptions {
  /** The value that the hardware took in place of the requested one. */
  readonly value?: MetricValue;
  /** When the next write is possible, ISO 8601. */
  readonly againAt?: string;
  /** Until when readings are expected to show the outcome, ISO 8601. */
  readonly settlesBy?: string;
  readonly status?: 422 | 503;
  readonly cause?: unknown;
}

type Outcome = WriteFailureFields['outcome'];
type Reason = WriteFailureFields['reason'];

/** A setting is not in force, or is not known to be: with its outcome and reason for clients that translate them. */
export class WriteFailure extends AppError {
  readonly fields: WriteFailureFields;

  constructor(
    message: string,
    outcome: Outcome,
    reason: Reason,
    { value, againAt, settlesBy, status = 422, cause }: WriteFailureOptions = {},
  ) {
    super(message, { code: 'write_failure', status, expose: true, cause });
    this.fields = {
      outcome,
      reason,
      ...(value !== undefined && { value }),
      ...(againAt !== undefined && { again_at: againAt }),
      ...(settlesBy !== undefined && { settles_by: settlesBy }),
    };
  }

  /** The same, with the time until which readings are expected to show its outcome. @param at ISO 8601 */
  settledBy(at: string): WriteFailure {
    const { outcome, reason, value } = this.fields;
    const message = outcome === 'unknown' ? `${this.message}, usually by ${at}` : this.message;
    const options = { settlesBy: at, cause: this.cause, ...(value !== undefined && { value }) };
    return new WriteFailure(message, outcome, reason, options);
  }
}

/** Nothing left for the hardware. */
export class NotSent extends WriteFailure {
  constructor(message: string, reason: Reason, options?: WriteFailureOptions) {
    super(message, 'not sent', reason, options);
  }
}
