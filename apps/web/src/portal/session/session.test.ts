import type { PortalSession } from '@heliograph/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '../../shared/queries/query-client.ts';
import { sessionQuery, signIn, signOut } from './session.ts';

const ADA = session(1);
const BEN = session(2);
const SIGNED_OUT = { user: null } as PortalSession;

function session(id: number): PortalSession {
  return { user: { id, locale: 'en' } } as PortalSession;
}

const answer = vi.fn<typeof fetch>();

beforeEach(() => {
  queries.clear();
  vi.stubGlobal('fetch', answer);
  queries.setQueryData(sessionQuery.queryKey, ADA);
  queries.setQueryData(['sites', ''], ['the sites of Ada']);
  queries.setQueryData(['account', 'tokens'], ['the tokens of Ada']);
});

afterEach(() => {
  vi.unstubAllGlobals();
  answer.mockReset();
  queries.clear();
});

function cachedKeys(): unknown[] {
  return queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
}

describe('signIn', () => {
  it('a sign-in to another account removes the data of the former account', async () => {
    answer.mockResolvedValue(Response.json(BEN));
    await signIn({ email: 'ben@example.org', password: 'Sunlit-roof-1' });
    expect(cachedKeys()).toEqual([sessionQuery.queryKey]);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(BEN);
  });

  it('a refused sign-in keeps the session and its data', async () => {
    answer.mockResolvedValue(Response.json({ error: 'Unauthorized' }, { status: 401 }));
    vi.stubGlobal('location', { origin: 'https://sun.example' });
    await expect(signIn({ email: 'ben@example.org', password: 'wrong' })).rejects.toMatchObject({
      status: 401,
    });
    expect(cachedKeys()).toContainEqual(['account', 'tokens']);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(ADA);
  });

  it('an answer on the former session that is under way does not replace the new session', async () => {
    const former = Promise.withResolvers<Response>();
    answer.mockReturnValueOnce(former.promise).mockResolvedValue(Response.json(BEN));
    const refetch = queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await signIn({ email: 'ben@example.org', password: 'Sunlit-roof-1' });
    former.resolve(Response.json(ADA));
    await refetch.catch(() => undefined);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(BEN);
  });
});

describe('signOut', () => {
  it('a sign-out removes the data of the account', async () => {
    answer
      .mockResolvedValueOnce(new Response(null, { status: 204 }))
      .mockResolvedValueOnce(Response.json(SIGNED_OUT));
    await signOut();
    expect(cachedKeys()).toEqual([sessionQuery.queryKey]);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(SIGNED_OUT);
  });
});
