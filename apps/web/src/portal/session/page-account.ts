import { PAGE_ACCOUNT_HEADER } from '@heliograph/contracts/page-account';

/** The id of the account that these pages show; undefined without a session. */
let pageAccount: number | undefined;

/** The pages show this account from now on: they have signed in or out themselves. */
export function showAccount(userId: number | undefined): void {
  pageAccount = userId;
}

/** Takes the account of the browser's session, unless the pages show another one: then they keep it until they reload. */
export function followAccount(userId: number | undefined): void {
  if (pageAccount === undefined || userId === undefined) pageAccount = userId;
}

/** A request that names the account it is made for, so that the cloud refuses it once another tab has signed in to another. */
export function forPageAccount(init: RequestInit): RequestInit {
  if (pageAccount === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set(PAGE_ACCOUNT_HEADER, String(pageAccount));
  return { ...init, headers };
}
