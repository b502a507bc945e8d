import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/namespaces.ts';

/** A page as an application's table of pages has it. */
export interface PageSource {
  /** A pattern of wouter, such as `/sites/:id`. */
  readonly path: string;
  /** What its texts are in. */
  readonly texts: readonly Namespace[];
  /** Its module, which exports it as `Page`. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
  /** Pages that show within it. */
  readonly parts?: readonly PageSource[];
  /** What it asks its server first, as a path, so that the answer can be on its way while scripts are. */
  readonly asks?: (query: URLSearchParams) => string;
}
