import { Redirect } from 'wouter';

/** Other programs lead here to the account. */
export function Page() {
  return <Redirect to="/user" replace />;
}
