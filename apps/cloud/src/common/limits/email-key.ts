import { emailForm } from '@heliograph/contracts/email-address';

/**
 * The key of an email address in rate limits, equal for all spellings that lead to one account. An address that leads to an
 * account only as it is written counts alone.
 */
export function emailKey(email: string): string {
  return emailForm(email) ?? `exact:${email.trim()}`;
}
