import type { Locale } from '@heliograph/contracts';
import type { Resource } from 'i18next';
import type { ReactNode } from 'react';

/** HTML that stands in a page until its scripts have loaded. */
export interface PrerenderedShell {
  /** A pattern of wouter, as in the table of pages. Of several that match, the first counts. */
  readonly path: string;
  readonly sessionHint: 'signed-in' | 'signed-out';
  /** Plain elements only: own styles and the session come with the scripts. */
  readonly Shell: Shell;
}

export type Shell = () => ReactNode;

/** The texts of a language, by namespace. */
export type Texts = Resource[string];

export type RenderShell = (locale: Locale, texts: Texts, Shell: Shell) => Promise<string>;
