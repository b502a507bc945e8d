import { ManualClock } from '@heliograph/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TunnelLink } from '../links/tunnel-link.ts';
import type { Upstream } from '../links/upstream.ts';
import { PeerUnreachable } from '../relay/peers.ts';
import { UpstreamResolver, type UpstreamResolverOptions } from './upstream-resolver.ts';

interface FakeSession {
  readonly link: { isClosing: boolean };
  readonly isSaturated: boolean;
}

const PEER = {} as TunnelLink;
const ELSEWHERE = { proxy: { name: 'b', url: 'https://b' }, relay_token: 'token' };
/** Shorter than any pause, so that a test waits for one. */
const LOST_MS = 100;
const AWAY = { proxy: null, relay_token: null };

let session: FakeSession | undefined;
let waitMs: number;
let moveGraceMs: number;
const byId = vi.fn<(siteId: number, maxAgeMs?: number) => Promise<object | undefined>>();
const connect = vi.fn<(proxy: object, token: string) => Promise<TunnelLink>>();
let clock: ManualClock;
let resolver: UpstreamResolver;
beforeEach(() => {
  clock = new ManualClock(Date.now());
  session = undefined;
  waitMs = 0;
  moveGraceMs = 0;
  byId.mockReset().mockResolvedValue(ELSEWHERE);
  connect.mockReset().mockResolvedValue(PEER);
  // Only what the resolver reads of each part: a real session closes too fast to be found in between.
  resolver = new UpstreamResolver({
    proxyName: 'a',
    registry: { find: () => session },
    recentlyLeft: {
      waitMs: () => waitMs,
      get moveGraceMs() {
        return moveGraceMs;
      },
    },
    locator: { byId },
    peers: { connect },
    lostProxyMs: LOST_MS,
    clock,
  } as unknown as UpstreamResolverOptions);
});
const sessionHere = (): FakeSession => ({ link: { isClosing: false }, isSaturated: false });
const gone = (): PeerUnreachable => new PeerUnreachable(clock.monotonic(), new Error('gone'));
const offline = expect.objectContaining({ status: 503, error: 'Site is offline' });
/** The upstream of a request after so many refusals of one. */
async function afterRefusals(refusals: number, refusedBy: unknown, relayed = false) {
  // Only the identity of the upstream matters.
  const next = resolver.successors(refusedBy as Upstream, 1, relayed);
  let found = await next();
  for (let n = 1; n < refusals; n++) found = await next();
  return found;
}

test('a session that is closing but still registered is passed over for the proxy that has the site now', async () => {
  session = { link: { isClosing: true }, isSaturated: false };
  expect(await resolver.resolve(1, false)).toBe(PEER);
  expect(connect).toHaveBeenCalledExactlyOnceWith(ELSEWHERE.proxy, 'token');
  session.link.isClosing = false;
  expect(resolver.resolve(1, false)).toBe(session.link);
});

describe('UpstreamResolver.resolve', () => {
  test('a device that has enough to do is busy', () => {
    session = { link: { isClosing: false }, isSaturated: true };
    expect(resolver.resolve(1, false)).toEqual({
      status: 503,
      error: 'Site is busy',
      headers: { 'retry-after': '1' },
    });
  });

  test('a relayed request goes to a device here or nowhere', () => {
    expect(resolver.resolve(1, true)).toMatchObject({
      status: expect.any(Number),
      error: expect.any(String),
    });
    expect(byId).not.toHaveBeenCalled();
    session = sessionHere();
    expect(resolver.resolve(1, true)).toBe(session.link);
  });

  test.each([
    ['of no proxy', AWAY],
    ['of no site', undefined],
    ['of a proxy without a token for it', { ...ELSEWHERE, relay_token: null }],
    ['of no proxy, with a token', { ...ELSEWHERE, proxy: null }],
    ['of this proxy', { ...ELSEWHERE, proxy: { name: 'a', url: 'https://a' } }],
  ])('a site is offline when the cloud knows %s', async (_name, location) => {
    byId.mockResolvedValueOnce(location);
    expect(await resolver.resolve(1, false)).toEqual(offline);
    expect(byId.mock.calls).toEqual([[1, undefined]]);
    expect(connect).not.toHaveBeenCalled();
  });

  test('a device that came while the cloud was asked is found', async () => {
    const late = sessionHere();
    byId.mockImplementationOnce(async () => {
      session = late;
      return AWAY;
    });
    expect(await resolver.resolve(1, false)).toBe(late.link);
  });

  test('a cloud that cannot be asked leaves it open whether the site is online', async () => {
    byId.mockRejectedValueOnce(new Error('out of reach'));
    expect(await resolver.resolve(1, false)).toEqual({
      status: 503,
      error: expect.stringContaining('cannot be found out'),
      headers: { 'retry-after': '5' },
    });
  });

  test('the cloud is asked again when the proxy that it named cannot be reached', async () => {
    connect.mockRejectedValueOnce(gone());
    expect(await resolver.resolve(1, false)).toBe(PEER);
    expect(byId.mock.calls).toEqual([
      [1, undefined],
      [1, 75],
    ]);
  });

  test('a fault that is not about reaching the other proxy is thrown', async () => {
    connect.mockRejectedValue(new TypeError('fault'));
    await expect(resolver.resolve(1, false)).rejects.toThrow('fault');
    expect(connect).toHaveBeenCalledTimes(1);
  });

  test('a device whose proxy is lost is found at the proxy where it turns up', async () => {
    connect.mockRejectedValueOnce(gone()).mockRejectedValueOnce(gone());
    expect(await resolver.resolve(1, false)).toBe(PEER);
    expect(byId.mock.calls).toEqual([
      [1, undefined],
      [1, 75],
      [1, LOST_MS / 2],
    ]);
  });

  test('a device whose proxy is lost is found here', async () => {
    connect.mockRejectedValue(gone());
    const late = sessionHere();
    const resolving = resolver.resolve(1, false);
    await new Promise(setImmediate);
    session = late;
    expect(await resolving).toBe(late.link);
    expect(byId).toHaveBeenCalledTimes(2);
  });

  test('a request for a site of a proxy that has been lost for long is not held', async () => {
    connect.mockRejectedValue(gone());
    clock.advance(LOST_MS);
    expect(await resolver.resolve(1, false)).toEqual({
      status: 503,
      error: 'The proxy that holds the site cannot be reached',
      headers: { 'retry-after': '2' },
    });
    expect(connect).toHaveBeenCalledTimes(2);
  });

  test('a device on its way is found at the proxy where it turns up', async () => {
    waitMs = 100;
    byId.mockResolvedValueOnce(AWAY);
    expect(await resolver.resolve(1, false)).toBe(PEER);
    expect(byId.mock.calls).toEqual([
      [1, undefined],
      [1, 75],
    ]);
  });

  test('a device on its way that comes back is found here', async () => {
    waitMs = 100;
    const back = sessionHere();
    byId.mockResolvedValueOnce(AWAY);
    const resolving = resolver.resolve(1, false);
    // The cloud's answer was looked at before anything that is queued after it.
    await new Promise(setImmediate);
    session = back;
    expect(await resolving).toBe(back.link);
    expect(byId).toHaveBeenCalledTimes(1);
  });

  test('a device on its way is given up when its time is over', async () => {
    waitMs = 100;
    byId.mockResolvedValueOnce(AWAY).mockImplementationOnce(async () => {
      clock.advance(100);
      return AWAY;
    });
    expect(await resolver.resolve(1, false)).toEqual(offline);
  });
});

describe('UpstreamResolver.successors', () => {
  test('a device that stays gets a refused request once more, and not a third time', async () => {
    moveGraceMs = 150;
    const here = sessionHere();
    session = here;
    expect(await afterRefusals(1, here.link)).toBe(here.link);
    expect(await afterRefusals(2, here.link)).toMatchObject({ status: 502 });
  });

  test('each new session gets a request that others refused, until the time to move is over', async () => {
    moveGraceMs = 150;
    const next = resolver.successors(PEER, 1, false);
    session = sessionHere();
    expect(await next()).toBe(session.link);
    session = sessionHere();
    expect(await next()).toBe(session.link);
    session = sessionHere();
    expect(await next()).toEqual(offline);
  });

  test('a relayed request that was refused goes nowhere else', async () => {
    expect(await afterRefusals(1, PEER, true)).toEqual(resolver.resolve(1, true));
    expect(byId).not.toHaveBeenCalled();
  });

  test('the cloud is asked again where the site of a refused request is', async () => {
    expect(await afterRefusals(1, sessionHere())).toBe(PEER);
    expect(byId.mock.calls).toEqual([[1, 0]]);
  });

  test('a site is looked for in what is left of the time to move', async () => {
    moveGraceMs = 200;
    byId
      .mockResolvedValueOnce(ELSEWHERE)
      .mockResolvedValueOnce(AWAY)
      .mockImplementationOnce(async () => {
        clock.advance(50);
        return AWAY;
      });
    expect(await afterRefusals(2, sessionHere())).toEqual(offline);
    expect(byId.mock.calls).toEqual([
      [1, 0],
      [1, 0],
      [1, 75],
    ]);
  });
});
