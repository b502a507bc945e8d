import type { TFunction } from 'i18next';
import { unmetRules } from './password-rule.ts';

/** How the service begins what it says of a password that breaches have, or that names the account. */
const GUESSABLE = 'is too easy to guess';

/** What the service says of a new password, in the reader's language where we know it. */
export function passwordMessage(message: string | undefined, t: TFunction<'entry'>): string | undefined {
  return message?.startsWith(GUESSABLE) === true ? t('fields.passwordGuessable') : message;
}

/** Why a new password is not sent; its field shows what exactly is missing. */
export function passwordProblem(password: string, t: TFunction<'entry'>): string | undefined {
  if (password === '') return t('fields.passwordMissing');
  return unmetRules(password).length === 0 ? undefined : t('fields.passwordWeak');
}

/** What the service says of an email address, in the reader's language where we know it. */
export function emailMessage(words: string | undefined, t: TFunction<'entry'>): string | undefined {
  switch (words) {
    case 'has already been taken':
      return t('fields.emailTaken');
    case 'is invalid':
      return t('fields.emailInvalid');
    case "can't be blank":
      return t('fields.emailMissing');
    default:
      return words;
  }
}
