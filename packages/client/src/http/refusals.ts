import type { SecondFactorAnswer, WriteFailureFields } from '@heliograph/contracts';
import { ApiError } from './errors.ts';

/**
 * The answer to a sign-in with the right password that waits for a second factor; undefined for every other
 * failure. Its `pending_token` signs in once the factor was shown: with `otp`, or on the page at `second_factor_url`.
 */
export function secondFactorRequired(error: unknown): SecondFactorAnswer | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  const { body } = error;
  return body.next_step === 'second_factor' ? (body as unknown as SecondFactorAnswer) : undefined;
}

/** Whether something was refused because the person of the session has not proved for 15 minutes who they are. */
export function requiresFreshSignIn(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.body.next_step === 'sign_in';
}

/** Whether a sign-in with a passkey alone was refused because no account has the passkey. */
export function isPasskeyUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.body.next_step === 'remove_passkey';
}

/** Whether a device was not registered because it was released: the code that its own page shows is missing or not valid. */
export function requiresRegistrationCode(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.body.next_step === 'registration_code';
}

/**
 * How a write of a setting ended, and why; undefined for every other failure, and of a device of a version without it.
 * With the outcome `unknown` the setting may have been changed.
 */
export function writeFailureOf(error: unknown): WriteFailureFields | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { outcome, reason } = error.body;
  if (typeof outcome !== 'string' || typeof reason !== 'string') return undefined;
  return error.body as unknown as WriteFailureFields;
}
