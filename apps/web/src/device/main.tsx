import { loadTexts } from 'virtual:texts';
import { Suspense } from 'react';
import { Redirect, Route, Switch, useSearchParams } from 'wouter';
import { show } from '../shared/app-frame.tsx';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { startI18n } from '../shared/i18n/i18n.ts';
import { queries } from '../shared/queries/query-client.ts';
import { lazyPage, makeReady } from '../shared/routing/lazy-page.ts';
import { ownPath, signInPath } from '../shared/routing/own-path.ts';
import { AUTHENTICATED_LAYOUT, SIGN_IN } from './page-table.ts';
import { preloaded } from './preload.ts';
import { sessionQuery, useDeviceSession } from './session/session.ts';
import { watchUnauthorized } from './session/watch-unauthorized.ts';

/** Unauthenticated visits load none of the pages behind it. */
const Inside = lazyPage(AUTHENTICATED_LAYOUT.load, AUTHENTICATED_LAYOUT.texts);

/** Most visits need none of them. */
const FirstRun = lazyPage(() => import('./sign-in/first-run-page.tsx'), ['configuration']);
const AccessEnded = lazyPage(() => import('./sign-in/access-ended-page.tsx'), []);
const SignIn = lazyPage(SIGN_IN.load, SIGN_IN.texts);

function App() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Pages />
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * A device needs a password and a session before it shows anything; support in a session may have removed the password.
 * Access and redirects are decided here only: two places that notice a session one after the other would redirect back
 * and forth.
 */
function Pages() {
  const {
    has_password: hasPassword,
    signed_in: isSignedIn,
    via,
    store_problem: problem,
  } = useDeviceSession();
  if (!hasPassword && !isSignedIn) return <FirstRun />;
  if (!isSignedIn && via === 'proxy') return <AccessEnded />;
  return (
    <Switch>
      <Route path="/sign_in">{isSignedIn ? <Onward /> : <SignIn />}</Route>
      {problem && <Route path="/store" component={FirstRun} />}
      <Route>
        {isSignedIn ? <Inside /> : problem ? <FirstRun /> : <Redirect to={signInPath()} replace />}
      </Route>
    </Switch>
  );
}

/** Leads from signing in to the page that was requested. */
function Onward() {
  const [search] = useSearchParams();
  return <Redirect to={ownPath(search.get('return_to'), '/')} replace />;
}

watchUnauthorized();
const session = queries.prefetchQuery(sessionQuery);
await Promise.all([startI18n(loadTexts, ['shared', 'device']), session, preloaded.loaded]);
await makeReady(preloaded.sources);
show(<App />);
