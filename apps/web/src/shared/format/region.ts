/**
 * The languages that the reader's browser names, the most preferred first, without those that `Intl` would refuse: a
 * Chromium on a system without a locale names `en-US@posix` alone.
 */
export function readerLanguages({ languages, language }: BrowserLanguages = navigator): readonly string[] {
  const named = languages?.length ? languages : [language];
  return named.flatMap((tag) => canonicalTag(tag) ?? []);
}

/** The languages of a browser, of which some name none. */
interface BrowserLanguages {
  readonly languages?: readonly string[] | null | undefined;
  readonly language?: string | null | undefined;
}

function canonicalTag(tag: string | null | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag ?? [])[0];
  } catch {
    return undefined;
  }
}

/**
 * The language with the region of the reader, where the browser has one: clocks of Britain show 24 hours, those of
 * the United States twelve.
 *
 * @param language BCP 47, of the texts
 * @param preferred BCP 47, the most preferred first
 */
export function regionalTag(language: string, preferred = readerLanguages()): string {
  const regions = preferred.map((tag) => new Intl.Locale(tag)).filter((one) => one.language === language);
  const region = regions.find((one) => one.region !== undefined)?.region;
  return region === undefined ? language : `${language}-${region}`;
}
