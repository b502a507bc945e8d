import { canonicalEmail } from '@heliograph/contracts/email-address';
import { foldText } from '@heliograph/contracts/folded-text';

/** The key of an email address in rate limits, equal for all spellings that lead to one account. */
export function emailKey(email: string): string {
  return canonicalEmail(email) ?? foldText(email.trim());
}
