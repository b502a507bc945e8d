import { loadTexts } from 'virtual:texts';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { show } from '../shared/app-frame.tsx';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { startI18n } from '../shared/i18n/i18n.ts';
import { queries } from '../shared/queries/query-client.ts';
import { useFirstView } from '../shared/routing/first-view.ts';
import { type LazyPage, makeReady, pagesOf } from '../shared/routing/lazy-page.ts';
import { signInPath } from '../shared/routing/own-path.ts';
import { Brand } from './brand/brand.tsx';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { FreshSignInHost } from './identity/second-factor/fresh-sign-in-host.tsx';
import { SOURCES } from './page-table.ts';
import { preloaded } from './preload.ts';
import type { PortalPageSource } from './routing/portal-page.ts';
import { sessionQuery, usePortalSession } from './session/session.ts';
import { watchSession } from './session/watch-session.ts';

type PortalPage = PortalPageSource & LazyPage;

const PAGES: readonly PortalPage[] = pagesOf(SOURCES);

/** The frame stays from page to page, and with it the focus of the keyboard. */
const BARE = PAGES.filter(({ isBare }) => isBare);
const FRAMED = PAGES.filter(({ isBare }) => !isBare);

function App() {
  return (
    <ErrorBoundary>
      <Brand>
        <Switch>
          {routesOf(BARE)}
          <Route>
            <Frame>
              <Switch>
                {routesOf(FRAMED)}
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </Frame>
          </Route>
        </Switch>
        <FreshSignInHost />
      </Brand>
    </ErrorBoundary>
  );
}

function routesOf(pages: readonly PortalPage[]) {
  return pages.map((page) => (
    <Route key={page.path} path={page.path}>
      <Guarded page={page} />
    </Route>
  ));
}

/** Redirects to the sign-in page, or shows that there is no such page, before any of the page shows. */
function Guarded({ page: { Page, access } }: { page: PortalPage }) {
  const { user, is_operator: isOperator } = usePortalSession();
  if (access !== 'anyone' && user === null) return <Redirect to={signInPath()} replace />;
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        {access === 'operator' && !isOperator ? <NotFound /> : <Page />}
        <FirstViewMarker />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Stands beside a page, so that it is there when the page is. */
function FirstViewMarker() {
  useFirstView();
  useEffect(startOnce, []);
  return null;
}

/** How long the first view has the line for itself, in milliseconds. */
const START_DELAY_MS = 300;

let isStarted = false;

/** Pages work without what makes them an app. */
function startOnce(): void {
  if (isStarted) return;
  isStarted = true;
  setTimeout(() => {
    import('./alerting/app/start.ts').then(({ startApp }) => startApp()).catch(() => undefined);
  }, START_DELAY_MS);
}

watchSession();
const session = queries.prefetchQuery(sessionQuery);
await Promise.all([startI18n(loadTexts, ['shared', 'portal']), session, preloaded.loaded]);
await makeReady(preloaded.sources);
show(<App />);
