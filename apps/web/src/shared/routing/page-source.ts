import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/namespaces.ts';
import type { ShellFields } from './fill-shell.ts';

/** The module of a page. */
interface PageModule {
  readonly Page: ComponentType;
  /** Loads the data of the page's first view. It never rejects: the page itself reports failures. */
  readonly loader?: () => Promise<void>;
}

export interface FirstRequests {
  readonly gets?: readonly string[];
  /** Without a body. The page's client takes the answers by `fetchPreloaded`. */
  readonly posts?: readonly string[];
  readonly shell?: ShellRequests;
}

/** Requests whose answers the prerendered shell of a page shows; the page's client takes them as those of `posts`. */
interface ShellRequests {
  readonly gets: readonly string[];
  /** @param answers of all of them, in their order. @returns undefined where the shell is to stay as it is */
  readonly fields: (answers: readonly unknown[]) => ShellFields | readonly ShellFields[] | undefined;
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
