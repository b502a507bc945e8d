import type { TFunction } from 'i18next';
import { missingIn } from './password-rule.ts';

/** Why a new password is not sent; its field shows what exactly is missing. */
export function passwordProblem(password: string, t: TFunction<'entry'>): string | undefined {
  if (password === '') return t('fields.passwordMissing');
  return missingIn(password).length === 0 ? undefined : t('fields.passwordWeak');
}
