import { unmetRules } from '@heliograph/contracts/password-rules';
import type { TFunction } from 'i18next';

/** The start of the message about a password that breaches contain, or that names the account. */
const GUESSABLE = 'is too easy to guess';

/** The service's message about a new password, translated where it is known. */
export function passwordMessage(message: string | undefined, t: TFunction<'entry'>): string | undefined {
  return message?.startsWith(GUESSABLE) === true ? t('fields.passwordGuessable') : message;
}

/** Why a new password is not sent; its field shows what exactly is missing. */
export function passwordProblem(password: string, t: TFunction<'entry'>): string | undefined {
  if (password === '') return t('fields.passwordMissing');
  return unmetRules(password).length === 0 ? undefined : t('fields.passwordWeak');
}

/** The service's message about an email address, translated where it is known. */
export function emailMessage(message: string | undefined, t: TFunction<'entry'>): string | undefined {
  if (message === 'has already been taken') return t('fields.emailTaken');
  if (message === "can't be blank") return t('fields.emailMissing');
  return message?.startsWith('must ') === true ? t('fields.emailInvalid') : message;
}
