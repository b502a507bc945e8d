import { Suspense, useEffect } from 'react';
import { Route, Switch } from 'wouter';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { FollowDevice, useLiveStatus } from '../shared/live/live-context.tsx';
import { useFirstView } from '../shared/routing/first-view.ts';
import { type LazyPage, lazyPage, pagesOf } from '../shared/routing/lazy-page.ts';
import { Frame } from './frame/frame.tsx';
import { type DevicePageSource, SOURCES } from './page-table.ts';
import { device } from './session/device.ts';
import { useDeviceSession } from './session/session.ts';
import { refetchSession } from './session/watch-unauthorized.ts';

export { Page as Overview } from './overview/overview-page.tsx';

/** All pages of the device behind its sign-in. They share one stream of live values. */
export function Page() {
  return (
    <FollowDevice device={device}>
      <RefetchSessionOnRefusal />
      <Frame>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Switch>
              {PAGES.map((page) => (
                <Route key={page.path} path={page.path}>
                  <Guarded page={page} />
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </FollowDevice>
  );
}

/** The live stream is often the first to notice that access has ended. */
function RefetchSessionOnRefusal() {
  const { state } = useLiveStatus();
  useEffect(() => {
    if (state === 'refused') refetchSession();
  }, [state]);
  return null;
}

type DevicePage = DevicePageSource & LazyPage;

const PAGES: readonly DevicePage[] = pagesOf(SOURCES);

const NoPermission = lazyPage(() => import('./frame/no-permission-page.tsx'), []);

const NotFound = lazyPage(() => import('./frame/not-found-page.tsx'), []);

function Guarded({ page: { Page: Content, path, access } }: { page: DevicePage }) {
  const { may_write: mayWrite, may_configure: mayConfigure } = useDeviceSession();
  if (access === 'writer' && !mayWrite) return <NoPermission />;
  if (access === 'configurator' && !mayConfigure) return <NoPermission />;
  // A failure on one page is no failure of the next.
  return (
    <ErrorBoundary key={path}>
      <Content />
      <FirstViewMarker />
    </ErrorBoundary>
  );
}

/** Mounted together with the page beside it. */
function FirstViewMarker() {
  useFirstView();
  return null;
}
