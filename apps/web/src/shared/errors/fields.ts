import { ApiError } from '@heliograph/client';
import type { FieldErrors } from './error-message.ts';

/**
 * The messages of a refused form, one text a field.
 *
 * @returns nothing in it when the error is of another kind
 */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError) || error.status !== 422) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, messages]) => [field, messages.join('; ')]),
  );
}
