import { ApiError } from '@heliograph/client';
import { fieldErrors } from '../../../shared/errors/fields.ts';

/** Whether the secret of a link is good no more: it was used, has expired, or never was any. */
export function isLinkExpired(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // A token of another shape is not even read.
  if (error.status === 400 || error.status === 401) return true;
  return error.status === 422 && Object.keys(fieldErrors(error)).length === 0;
}
