import i18next from 'i18next';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Namespace } from '../i18n/namespaces.ts';
import { loadAnew } from './after-update.ts';
import type { PageSource } from './page-source.ts';

/** A page that is loaded when somebody goes there, with its texts. */
export interface LazyPage {
  readonly Page: LazyExoticComponent<ComponentType>;
}

/** The pages of a table, each ready to be loaded. Of several that match a path, the first is shown. */
export function pagesOf<Source extends PageSource>(
  sources: readonly Source[],
): readonly (Source & LazyPage)[] {
  return sources.map((source) => ({ ...source, Page: lazyPage(source.load, source.texts) }));
}

/** @param load the module of a page, which exports it as `Page` */
export function lazyPage(
  load: PageSource['load'],
  texts: readonly Namespace[],
): LazyExoticComponent<ComponentType> {
  const ready = async (): Promise<{ default: ComponentType }> => {
    const [{ Page }] = await Promise.all([load(), i18next.loadNamespaces([...texts])]);
    // That says nothing of a file which did not come, and the page would show the keys of its texts.
    const missing = texts.filter((one) => !i18next.hasResourceBundle(i18next.language, one));
    if (missing.length > 0) throw new Error(`The texts ${missing.join(', ')} could not be loaded`);
    return { default: Page };
  };
  return lazy(() => ready().catch(loadAnew));
}
