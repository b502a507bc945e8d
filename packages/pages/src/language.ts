import { isLocale, type Locale } from '@heliograph/contracts';

/** Browsers name traditional Chinese by its script or by a region that writes it. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/**
 * The language of a page, from what the browser prefers (RFC 9110, 12.5.4).
 *
 * @param accepted an `Accept-Language` header
 * @returns English if no language in it is supported
 */
export function languageOf(accepted = ''): Locale {
  const ranges = accepted.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const preferred = ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => localeFor(tag) ?? []);
  return preferred[0] ?? 'en';
}

function localeFor(tag: string): Locale | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  if (primary === 'zh') return TRADITIONAL.test(tag) ? 'zh_TW' : 'zh_CN';
  return isLocale(primary) ? primary : undefined;
}
