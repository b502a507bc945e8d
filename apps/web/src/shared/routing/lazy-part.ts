import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadAnew } from './after-update.ts';
import { afterFirstView } from './first-view.ts';

/** A part of a page that is loaded when it is shown first. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const ready = async (): Promise<{ default: ComponentType<Props> }> => ({ default: await load() });
  return lazy(() => ready().catch(loadAnew));
}

/** A part that nobody looks for first: it does not keep what people came for waiting. */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazyPart(async () => {
    await afterFirstView;
    return await load();
  });
}
