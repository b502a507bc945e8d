import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Failures } from '../shared/components/states/failures.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { useFirstView } from '../shared/routing/first-view.ts';
import { Brand } from './brand/brand.tsx';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { PAGES, type PortalPage } from './pages.ts';
import { signInPath } from './session/return-to.ts';
import { usePortalSession } from './session/session.ts';

export function App() {
  return (
    <Failures>
      <Brand>
        <Switch>
          {PAGES.map((page) => (
            <Route key={page.path} path={page.path}>
              <Guarded page={page} />
            </Route>
          ))}
          <Route>
            <Frame>
              <NotFound />
            </Frame>
          </Route>
        </Switch>
      </Brand>
    </Failures>
  );
}

/** Who may not see a page is sent to sign in, or told that there is none, before any of it shows. */
function Guarded({ page: { Page, access, isBare } }: { page: PortalPage }) {
  const { user, is_operator: isOperator } = usePortalSession();
  if (access !== 'anyone' && user === null) return <Redirect to={signInPath()} replace />;
  const content = (
    <Failures>
      <Suspense fallback={<Loading />}>
        {access === 'operator' && !isOperator ? <NotFound /> : <Page />}
        <Shown />
      </Suspense>
    </Failures>
  );
  return isBare ? content : <Frame>{content}</Frame>;
}

/** Stands beside a page, so that it is there when the page is. */
function Shown() {
  useFirstView();
  return null;
}
