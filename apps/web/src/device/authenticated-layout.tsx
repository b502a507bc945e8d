import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Route, Switch } from 'wouter';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { FollowDevice, useLive, useLiveStatus } from '../shared/live/live-context.tsx';
import { useIsRestDue } from '../shared/live/use-is-rest-due.ts';
import { useFirstViewOf } from '../shared/routing/first-view.ts';
import { type LazyPage, lazyPage, pagesOf } from '../shared/routing/lazy-page.ts';
import { Frame } from './frame/frame.tsx';
import { type DevicePageSource, SOURCES } from './page-table.ts';
import { device } from './session/device.ts';
import { sessionQuery, useDeviceSession } from './session/session.ts';
import { refetchSession } from './session/watch-unauthorized.ts';

export { Page as Overview } from './overview/overview-page.tsx';

/** All pages of the device behind its sign-in. They share one stream of live values. */
export function Page() {
  return (
    <FollowDevice device={device}>
      <FollowSession />
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

/**
 * The live stream is often the first to notice that access has ended. It goes on where another tab renewed that of a support
 * session.
 */
function FollowSession() {
  const { values, device: source } = useLive();
  const { state, since } = useLiveStatus();
  const { data, dataUpdatedAt } = useQuery(sessionQuery);
  const isRefused = state === 'refused';
  const isRenewed = isRefused && data?.recovery != null && dataUpdatedAt > since;
  useEffect(() => {
    if (isRefused) refetchSession();
  }, [isRefused]);
  useEffect(() => {
    if (isRenewed && source !== undefined) values.follow(source);
  }, [isRenewed, values, source]);
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

/** Mounted together with the page beside it, which shows live values. */
function FirstViewMarker() {
  useFirstViewOf(useIsRestDue());
  return null;
}
