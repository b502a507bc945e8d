import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Failures } from '../shared/components/states/failures.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { FollowDevice } from '../shared/live/live-context.tsx';
import { lazyPage } from '../shared/routing/lazy-page.ts';
import { signInPath } from '../shared/routing/own-path.ts';
import { device } from './device.ts';
import { Frame } from './frame/frame.tsx';
import { type DevicePage, PAGES } from './pages.ts';
import { EndWithStream } from './session/end-with-stream.tsx';
import { useDeviceSession } from './session/session.ts';

/** Most visits need none of them. */
const { Page: FirstRun } = lazyPage(() => import('./first-run/first-run-page.tsx'), []);
const { Page: AccessEnded } = lazyPage(() => import('./session/access-ended-page.tsx'), []);
const { Page: NoPermission } = lazyPage(() => import('./frame/no-permission-page.tsx'), []);
const { Page: NotFound } = lazyPage(() => import('./frame/not-found-page.tsx'), []);
const { Page: SignIn } = lazyPage(() => import('./sign-in/sign-in-page.tsx'), []);

export function App() {
  return (
    <Failures>
      <Suspense fallback={<Loading />}>
        <Pages />
      </Suspense>
    </Failures>
  );
}

/** Before anything of the device shows, it has a password, and whoever looks at it is let in. */
function Pages() {
  const { has_password: hasPassword, signed_in: isSignedIn, via } = useDeviceSession();
  if (!hasPassword) return <FirstRun />;
  if (!isSignedIn && via === 'proxy') return <AccessEnded />;
  return (
    <Switch>
      <Route path="/sign_in">
        <SignIn />
      </Route>
      <Route>{isSignedIn ? <PagesOfDevice /> : <Redirect to={signInPath()} replace />}</Route>
    </Switch>
  );
}

function PagesOfDevice() {
  return (
    <FollowDevice device={device}>
      <EndWithStream />
      <Frame>
        <Switch>
          {PAGES.map((page) => (
            <Route key={page.path} path={page.path}>
              <Guarded page={page} />
            </Route>
          ))}
          <Route>
            <Suspense fallback={<Loading />}>
              <NotFound />
            </Suspense>
          </Route>
        </Switch>
      </Frame>
    </FollowDevice>
  );
}

function Guarded({ page: { Page, access } }: { page: DevicePage }) {
  const { may_write: mayWrite } = useDeviceSession();
  return (
    <Failures>
      <Suspense fallback={<Loading />}>
        {access === 'writer' && !mayWrite ? <NoPermission /> : <Page />}
      </Suspense>
    </Failures>
  );
}
