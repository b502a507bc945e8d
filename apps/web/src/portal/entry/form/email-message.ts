import type { TFunction } from 'i18next';

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
