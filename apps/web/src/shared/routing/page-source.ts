import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/namespaces.ts';

/** The module of a page. */
export interface PageModule {
  readonly Page: ComponentType;
  /** Has in place what the page shows first; it never fails, and the page itself tells what went wrong. */
  readonly loader?: () => Promise<void>;
}

/** A page as an application's table of pages has it. */
export interface PageSource {
  /** A pattern of wouter, such as `/sites/:id`. */
  readonly path: string;
  /** What its texts are in. */
  readonly texts: readonly Namespace[];
  readonly load: () => Promise<PageModule>;
  /** Pages that show within it. */
  readonly parts?: readonly PageSource[];
  /**
   * What it asks its server first, as paths with their queries, so that answers can be on their way while scripts are.
   *
   * @param at the page's own address
   */
  readonly preload?: (at: URL) => readonly string[];
}
