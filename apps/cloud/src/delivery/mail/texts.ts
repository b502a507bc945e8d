import type { Locale } from '@heliograph/contracts';
import { type MailTexts, readTexts } from '@heliograph/locales/read';

const cache = new Map<Locale, MailTexts>();

/**
 * The texts of mails in one language. `{{brand}}` is the organization that writes, or the service; `{{name}}` the
 * reader, a passkey or a token; `{{site}}` a solar site; `{{inviter}}`, `{{actor}}` and `{{owner}}` people; `{{time}}`
 * and `{{address}}` those of a security event; `{{email}}` a new address of the reader; `{{left}}` the number of unused recovery codes; `{{scopes}}` a list of
 * permissions; `{{firm}}`, `{{person}}` and `{{count}}` of a support recovery session; `{{number}}` and `{{title}}` of a ticket, and the `{{author}}` of a message.
 */
export function textsOf(locale: Locale): MailTexts {
  const texts = cache.get(locale) ?? readTexts(locale).mail;
  cache.set(locale, texts);
  return texts;
}
