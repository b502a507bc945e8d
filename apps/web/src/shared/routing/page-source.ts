import type { Namespace } from '../i18n/namespaces.ts';
import { type LazyPage, lazyPage } from './lazy-page.ts';

/** A page as an application's table of pages has it. */
export interface PageSource {
  /** A pattern of wouter, such as `/sites/:id`. */
  readonly path: string;
  /** What its texts are in. */
  readonly texts: readonly Namespace[];
  readonly load: Parameters<typeof lazyPage>[0];
}

/** The pages of a table, each ready to be loaded. Of several that match a path, the first is shown. */
export function pagesOf<Source extends PageSource>(
  sources: readonly Source[],
): readonly (Source & LazyPage)[] {
  return sources.map((source) => ({ ...source, ...lazyPage(source.load, source.texts) }));
}
