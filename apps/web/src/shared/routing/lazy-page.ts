import i18next from 'i18next';
import { type ComponentType, createElement, lazy } from 'react';
import { reloadAfterUpdate } from '../browser/reload-after-update.ts';
import { checkTexts } from '../i18n/check-texts.ts';
import type { Namespace } from '../i18n/namespaces.ts';
import type { PageSource } from './page-source.ts';

/** A page that is loaded with its texts on its first visit. */
export interface LazyPage {
  readonly Page: ComponentType;
}

/** The pages of a table, each ready to be loaded. Of several that match a path, the first is shown. */
export function pagesOf<Source extends PageSource>(
  sources: readonly Source[],
): readonly (Source & LazyPage)[] {
  return sources.map((source) => ({ ...source, Page: lazyPage(source.load, source.texts) }));
}

/** Prepares a page, by its loader: a page may stand at several paths. */
const making = new Map<PageSource['load'], () => Promise<void>>();

/** Pages that are, likewise. */
const ready = new Map<PageSource['load'], ComponentType>();

/**
 * Prepares loaded pages, so that they show at once: otherwise React shows a suspended page no sooner than a third of
 * a second after its fallback. To be called before anything is shown; a page that cannot be prepared loads again when
 * it is shown, and reports its failure.
 */
export async function makeReady(sources: readonly PageSource[]): Promise<void> {
  await Promise.allSettled(sources.map(({ load }) => making.get(load)?.()));
}

/** @param load the module of a page, which exports it as `Page` */
export function lazyPage(load: PageSource['load'], texts: readonly Namespace[]): ComponentType {
  const complete = async (): Promise<ComponentType> => {
    const [{ Page }] = await Promise.all([load(), i18next.loadNamespaces([...texts])]);
    checkTexts(texts);
    return Page;
  };
  const Later = lazy(async () => {
    const Page = await complete().catch(reloadAfterUpdate);
    return { default: Page };
  });
  making.set(load, async () => {
    ready.set(load, await complete());
  });
  return () => createElement(ready.get(load) ?? Later);
}
