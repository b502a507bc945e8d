import { MAX_DEVICE_PASSWORD_LENGTH, MIN_DEVICE_PASSWORD_LENGTH } from '@heliograph/contracts/password-rules';

/** Validation message that completes "password …"; undefined for a password that the device takes. */
export function complaintAboutPassword(password: string): string | undefined {
  if (password.length < MIN_DEVICE_PASSWORD_LENGTH) {
    return `must have at least ${MIN_DEVICE_PASSWORD_LENGTH} characters`;
  }
  if (password.length > MAX_DEVICE_PASSWORD_LENGTH) {
    return `must have at most ${MAX_DEVICE_PASSWORD_LENGTH} characters`;
  }
  return undefined;
}
