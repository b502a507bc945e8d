import { type Locale, tagOf } from '@heliograph/contracts';

/**
 * A moment in a language. The reader's time zone is unknown, so the text is in UTC and names it.
 *
 * @param at ISO 8601
 */
export function timeIn(locale: Locale, at: string): string {
  return new Intl.DateTimeFormat(tagOf(locale), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(at));
}
