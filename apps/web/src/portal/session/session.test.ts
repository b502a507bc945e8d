import type { PortalSession } from '@heliograph/contracts';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '../../shared/queries/query-client.ts';
import { showAccount } from './page-account.ts';
import {
  checkPasswordLink,
  choosePassword,
  confirmEmail,
  passkeyOptions,
  sessionQuery,
  signIn,
  signInWithPasskey,
  signOut,
} from './session.ts';

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
  showAccount(undefined);
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

const LINK = { token: 'a token of a mail' };
const PASSKEY = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'b', authenticatorData: 'c', signature: 'd' },
} as const;

/** The path and the content of each request, in their order. */
function requests(): unknown[] {
  return answer.mock.calls.map(([path, init]) => [
    path,
    typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
  ]);
}

describe('the ways into an account', () => {
  it.each([
    ['a password', () => signIn({ email: 'b', password: 'c' }), 'sign_in', { email: 'b', password: 'c' }],
    ['a passkey', () => signInWithPasskey(PASSKEY), 'passkey', { passkey: PASSKEY }],
    ['the link of a confirmation', () => confirmEmail(LINK), 'confirm', LINK],
    [
      'the link of a forgotten password',
      () => choosePassword('reset', { ...LINK, password: 'c' }),
      'password/reset',
      { ...LINK, password: 'c' },
    ],
    [
      'the link of an invitation',
      () => choosePassword('set', { ...LINK, password: 'c' }),
      'password/set',
      { ...LINK, password: 'c' },
    ],
  ])('%s starts the session that the cloud answers with', async (_what, start, path, body) => {
    answer.mockResolvedValue(Response.json(BEN));
    expect(await start()).toEqual(BEN);
    expect(requests()).toEqual([[`/portal/${path}`, body]]);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(BEN);
  });

  it('a check of a link sends its token and changes no session', async () => {
    answer.mockResolvedValue(new Response(null, { status: 204 }));
    await checkPasswordLink('reset', LINK);
    expect(requests()).toEqual([['/portal/password/reset/check', LINK]]);
    expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(ADA);
  });

  it('the options of a passkey are those that the cloud answers with', async () => {
    answer.mockResolvedValue(Response.json({ challenge: 'x' }));
    expect(await passkeyOptions()).toEqual({ challenge: 'x' });
    expect(requests()).toEqual([['/portal/passkey/options', undefined]]);
  });
});

describe('the language of an account', () => {
  beforeEach(async () => {
    vi.stubGlobal('document', { documentElement: { lang: 'en' }, cookie: '' });
    vi.stubGlobal('location', { origin: 'https://sun.example', protocol: 'https:' });
    const texts = { shared: {} };
    await i18next.init({ lng: 'en', ns: ['shared'], resources: { en: texts, de: texts } });
  });

  afterEach(() => i18next.changeLanguage('en'));

  // The other fields of a session do not matter here.
  const german = { user: { id: 2, locale: 'de' } } as PortalSession;

  it.each([
    ['a sign-in', () => signIn({ email: 'b', password: 'c' })],
    ['an answer on the session', () => queries.fetchQuery({ ...sessionQuery, staleTime: 0 })],
  ])('the pages are in the language of the account after %s', async (_what, start) => {
    answer.mockResolvedValue(Response.json(german));
    expect(await start()).toEqual(german);
    expect(i18next.language).toBe('de');
  });

  it('the pages keep their language without an account', async () => {
    answer.mockResolvedValue(Response.json(SIGNED_OUT));
    expect(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).toEqual(SIGNED_OUT);
    expect(i18next.language).toBe('en');
  });
});

describe('sessionQuery', () => {
  it('the session is requested again after a minute, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      queries.setQueryData(sessionQuery.queryKey, ADA);
      answer.mockResolvedValue(Response.json(BEN));
      vi.setSystemTime(Date.now() + 59_000);
      expect(await queries.fetchQuery(sessionQuery)).toEqual(ADA);
      vi.setSystemTime(Date.now() + 2_000);
      expect(await queries.fetchQuery(sessionQuery)).toEqual(BEN);
      expect(requests()).toEqual([['/portal/session', undefined]]);
    } finally {
      vi.useRealTimers();
    }
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
