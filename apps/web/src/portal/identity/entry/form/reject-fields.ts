import { ApiError } from '@heliograph/client';

/**
 * Refuses a form before anything is sent, as the service would.
 *
 * @param problems messages by field; undefined for a valid field
 * @throws ApiError with status 422
 */
export function rejectFields(problems: Readonly<Record<string, string | undefined>>): void {
  const errors = Object.entries(problems).filter(([, message]) => message !== undefined);
  if (errors.length === 0) return;
  throw new ApiError(location.origin, 422, '', { errors: Object.fromEntries(errors) });
}
