import type { Locale } from '@heliograph/contracts';
import type { Resource } from 'i18next';
import type { ReactNode } from 'react';

/** What a page says before any of its scripts is there. */
export interface FirstWords {
  /** A pattern of wouter, as in the table of pages. Of several that match, the first counts. */
  readonly path: string;
  /** Who sees this page at that path. */
  readonly who: 'signed-in' | 'signed-out';
  /** Plain elements alone: what needs a style of its own, or a session, comes with the scripts. */
  readonly Words: () => ReactNode;
}

/** The texts of a language, by namespace. */
export type Texts = Resource[string];

/** Makes the HTML of first words in a language. */
export type WordsIn = (locale: Locale, texts: Texts, words: Pick<FirstWords, 'Words'>) => Promise<string>;
