import type { WriteFailureFields } from '@heliograph/contracts';
import { AppError } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';

interface WriteFailureOptions {
  /** The value that the hardware took in place of the requested one. */
  readonly value?: MetricValue;
  /** When the next write is possible, ISO 8601. */
  readonly againAt?: string;
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
    { value, againAt, status = 422, cause }: WriteFailureOptions = {},
  ) {
    super(message, { code: 'write_failure', status, expose: true, cause });
    this.fields = {
      outcome,
      reason,
      ...(value !== undefined && { value }),
      ...(againAt !== undefined && { again_at: againAt }),
    };
  }
}

/** Nothing left for the hardware. */
export class NotSent extends WriteFailure {
  constructor(message: string, reason: Reason, options?: WriteFailureOptions) {
    super(message, 'not sent', reason, options);
  }
}
