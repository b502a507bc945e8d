import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/namespaces.ts';

/** The module of a page. */
interface PageModule {
  readonly Page: ComponentType;
  /** Loads the data of the page's first view. It never rejects: the page itself reports failures. */
  readonly loader?: () => Promise<void>;
}

interface FirstRequests {
  readonly gets?: readonly string[];
  /** Without a body. The page's client takes the answers by `fetchPreloaded`. */
  readonly posts?: readonly string[];
}

/** A page as an application's table of pages has it. */
export interface PageSource {
  /** A pattern of wouter, such as `/sites/:id`. */
  readonly path: string;
  /** The namespaces of its texts. */
  readonly texts: readonly Namespace[];
  readonly load: () => Promise<PageModule>;
  /** Pages that show within it. */
  readonly parts?: readonly PageSource[];
  /**
   * The paths, with queries, of its first requests, so that answers arrive together with the scripts.
   *
   * @param at the page's own address
   */
  readonly preload?: (at: URL) => FirstRequests;
}
