import { Redirect } from 'wouter';

/** Other programs lead here to the account, and with `#api` to its API tokens. */
export function Page() {
  return <Redirect to={location.hash === '#api' ? '/user/tokens' : '/user'} replace />;
}
