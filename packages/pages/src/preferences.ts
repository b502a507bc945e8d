import type { IncomingHttpHeaders } from 'node:http';
import { isLocale, type Locale } from '@heliograph/contracts';
import { languageOf } from './language.ts';

/** What a browser wants a page to be like. */
export interface Preferences {
  readonly locale: Locale;
  /** `auto` follows the system, which is what a page does without scripts. */
  readonly scheme: 'light' | 'dark' | 'auto';
}

/** What was chosen on an earlier visit stands in cookies, which scripts of the page keep. */
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
