import { ApiError } from '@heliograph/client';
import type { PortalSession } from '@heliograph/contracts';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '../../shared/queries/query-client.ts';
import { showAccount } from './page-account.ts';
import { sessionQuery } from './session.ts';
import { watchSession } from './watch-session.ts';

const ADA = session(1);
const BEN = session(2);
const SIGNED_OUT = { user: null } as PortalSession;
const SITES_KEY = ['sites', ''];

function session(id: number): PortalSession {
  return { user: { id, locale: 'en' } } as PortalSession;
}

const reload = vi.fn<() => void>();
let stop: () => void;

beforeEach(() => {
  queries.clear();
  vi.stubGlobal('location', { origin: 'https://sun.example', reload });
  stop = watchSession();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  reload.mockReset();
  queries.clear();
  showAccount(undefined);
});

/** The session as the cloud answers it now. */
async function refetch(answer: PortalSession): Promise<void> {
  vi.stubGlobal('fetch', async () => Response.json(answer));
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

describe('watchSession', () => {
  it('the page reloads when another tab has signed in to another account', async () => {
    await refetch(ADA);
    await refetch(BEN);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('the page reloads as soon as another tab has announced another account', async () => {
    await refetch(ADA);
    vi.stubGlobal('fetch', async () => Response.json(BEN));
    const shown = new QueryObserver(queries, sessionQuery).subscribe(() => undefined);
    const otherTab = new BroadcastChannel('session');
    otherTab.postMessage('changed');
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    otherTab.close();
    shown();
  });

  it('the page stays when the account is the same', async () => {
    await refetch(ADA);
    await refetch({ ...ADA, is_operator: true });
    expect(reload).not.toHaveBeenCalled();
  });

  it('a session that has ended elsewhere takes the data of the account with it, without a reload', async () => {
    await refetch(ADA);
    queries.setQueryData(SITES_KEY, ['the sites of Ada']);
    await refetch(SIGNED_OUT);
    expect(queries.getQueryData(SITES_KEY)).toBeUndefined();
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(SIGNED_OUT);
    expect(reload).not.toHaveBeenCalled();
  });

  it('the page stays when it has signed in to another account itself', async () => {
    await refetch(ADA);
    queries.setQueryData(sessionQuery.queryKey, BEN);
    expect(reload).not.toHaveBeenCalled();
  });

  it('the page stays when a visitor has signed in in another tab', async () => {
    await refetch(SIGNED_OUT);
    await refetch(ADA);
    expect(reload).not.toHaveBeenCalled();
  });

  it('the page reloads for another account after the session was removed from the cache', async () => {
    await refetch(ADA);
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    await refetch(BEN);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('the page stays when an answer on something else names another account', async () => {
    await refetch(ADA);
    await queries.fetchQuery({ queryKey: SITES_KEY, queryFn: async () => BEN });
    expect(reload).not.toHaveBeenCalled();
  });

  it('the page stays when the account of its own sign-in is confirmed by the cloud', async () => {
    await refetch(ADA);
    queries.setQueryData(sessionQuery.queryKey, BEN);
    await refetch(BEN);
    expect(reload).not.toHaveBeenCalled();
  });

  it('a page that no longer follows the session stays when another tab signs in to another account', async () => {
    await refetch(ADA);
    stop();
    await refetch(BEN);
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([
    ['the session alone counts as out of date', 401, true],
    ['no data counts as out of date', 403, false],
  ])('%s after a refusal with status %i', async (_what, status, isInvalidated) => {
    await refetch(ADA);
    queries.setQueryData(SITES_KEY, ['the sites of Ada']);
    const refused = queries.fetchQuery({
      queryKey: ['account', 'tokens'],
      queryFn: () => Promise.reject(new ApiError('https://sun.example', status, 'refused')),
    });
    await expect(refused).rejects.toThrow('refused');
    expect(queries.getQueryState(sessionQuery.queryKey)?.isInvalidated).toBe(isInvalidated);
    expect(queries.getQueryState(SITES_KEY)?.isInvalidated).toBe(false);
  });
});
