import { ApiError } from '@heliograph/client';
import { printable } from '@heliograph/kit/terminal';

/** The command failed; the message is the reason, for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Anything thrown, as one line. */
export function failureLine(error: unknown): string {
  if (error instanceof ApiError && error.status !== 422) {
    const { origin, status, message, requestId } = error;
    const quote = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
    return printable(`${origin} answered ${status}: ${message}${quote}`);
  }
  return printable(error instanceof Error ? error.message : String(error));
}
