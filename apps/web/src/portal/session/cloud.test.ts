import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cloud } from './cloud.ts';
import { followAccount, showAccount } from './page-account.ts';

const answer = vi.fn<typeof fetch>();
const reload = vi.fn<() => void>();

beforeEach(() => {
  answer.mockImplementation(async () => Response.json([]));
  vi.stubGlobal('fetch', answer);
  vi.stubGlobal('location', { origin: 'https://sun.example', reload });
});

afterEach(() => {
  showAccount(undefined);
  answer.mockReset();
  reload.mockReset();
  vi.unstubAllGlobals();
});

/** The account that the last request was made for. */
function accountSent(): string | null {
  return new Headers(answer.mock.lastCall?.[1]?.headers).get('x-page-account');
}

it('the client of the session calls the paths below /portal', async () => {
  await cloud.listTokens();
  expect(String(answer.mock.calls[0]?.[0])).toContain('/portal/api/v1/user/tokens');
});

it('a request of a page that shows no account names none', async () => {
  await cloud.listTokens();
  expect(accountSent()).toBeNull();
});

it('every request names the account that the page shows, also once another tab has signed in to another', async () => {
  followAccount(1);
  await cloud.listTokens();
  expect(accountSent()).toBe('1');
  followAccount(2);
  await cloud.updateCurrentUser({ locale: 'de' });
  expect(accountSent()).toBe('1');
  expect(new Headers(answer.mock.lastCall?.[1]?.headers).get('content-type')).toBe('application/json');
});

it('a page that has signed in to another account itself names that one', async () => {
  followAccount(1);
  showAccount(2);
  await cloud.listTokens();
  expect(accountSent()).toBe('2');
});

it('a page whose account has signed out elsewhere takes the next account of the browser', async () => {
  followAccount(1);
  followAccount(undefined);
  followAccount(2);
  await cloud.listTokens();
  expect(accountSent()).toBe('2');
});

it.each([
  [{ error: 'This browser is signed in to another account now', next_step: 'reload' }, 1],
  [{ error: 'Taken' }, 0],
])('a page reloads when the cloud names another account, and for no other conflict', async (body, times) => {
  answer.mockResolvedValue(Response.json(body, { status: 409 }));
  await expect(cloud.updateCurrentUser({ locale: 'de' })).rejects.toMatchObject({
    status: 409,
    message: body.error,
  });
  expect(reload).toHaveBeenCalledTimes(times);
});
