import type { IncomingHttpHeaders } from 'node:http';
import { isLocale, type Locale } from '@heliograph/contracts';
import { languageOf } from './language.ts';

export interface Preferences {
  readonly locale: Locale;
  /** `auto` follows the system, as a page without scripts does. */
  readonly scheme: 'light' | 'dark' | 'auto';
}

/** Reads the cookies that scripts of the pages set, then `Accept-Language`. */
export function preferencesOf({ cookie = '', ...headers }: IncomingHttpHeaders): Preferences {
  const locale = valueIn(cookie, 'heliograph_locale');
  const scheme = valueIn(cookie, 'heliograph_scheme');
  return {
    locale: isLocale(locale) ? locale : languageOf(headers['accept-language']),
    scheme: scheme === 'light' || scheme === 'dark' ? scheme : 'auto',
  };
}

function valueIn(cookies: string, name: string): string {
  const pair = cookies.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair === undefined ? '' : pair.slice(name.length + 1);
}
