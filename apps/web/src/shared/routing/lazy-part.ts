import { type ComponentType, createElement, lazy } from 'react';
import { reloadAfterUpdate } from '../browser/reload-after-update.ts';
import { ErrorBoundary } from '../components/states/error-boundary.tsx';
import { afterFirstView } from './first-view.ts';

/** A part of a page that is loaded when it is shown first. One that fails leaves the rest of the page as it is. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const ready = async (): Promise<{ default: ComponentType<Props> }> => ({ default: await load() });
  const Part: ComponentType<Props> = lazy(() => ready().catch(reloadAfterUpdate));
  return (props) => createElement(ErrorBoundary, null, createElement(Part, props));
}

/** A part below the first view, which does not delay it. */
export function deferredPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazyPart(async () => {
    await afterFirstView;
    return await load();
  });
}
