/**
 * Header of requests below `/portal/api/v1`: the id of the account that the page was rendered for. The cookie stands for
 * the account that the browser is signed in to by now, which another tab may have changed.
 */
export const PAGE_ACCOUNT_HEADER = 'x-page-account';

/** The answer with status 409 to a page of another account than the browser's. */
export interface OtherAccountAnswer {
  readonly error: string;
  readonly next_step: 'reload';
}
