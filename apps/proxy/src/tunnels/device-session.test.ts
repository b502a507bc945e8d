import { constants } from 'node:http2';
import { TUNNEL_MOVE_PING } from '@heliograph/wire';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Http2Pair } from '../testing/http2-pair.ts';
import { DeviceSession } from './device-session.ts';

const TICKET = { uid: 'a', siteId: 1, proxy: 'test-1', expiresAt: 100, signedBy: 'key' };

let pair: Http2Pair;
let session: DeviceSession;
let events: [event: string, session: DeviceSession, reason?: string][];
beforeEach(async () => {
  pair = await Http2Pair.connect();
  events = [];
  session = new DeviceSession(
    { ticket: TICKET, http2: pair.http2, socket: pair.socket },
    {
      left: (left) => events.push(['left', left]),
      closed: (closed, reason) => events.push(['closed', closed, reason]),
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  pair[Symbol.dispose]();
});

describe('DeviceSession', () => {
  test('a session has the device and the site of its ticket', () => {
    expect([session.uid, session.siteId]).toEqual(['a', 1]);
  });

  test('a device that announces its end has left, and its open requests go on', async () => {
    const stream = session.open(
      [':method', 'GET', ':scheme', 'http', ':path', '/', ':authority', 'x'],
      false,
    );
    stream.resume();
    await expect.poll(() => pair.streams).toHaveLength(1);
    pair.peer.close();
    await expect.poll(() => events).toEqual([['left', session]]);
    const answered = new Promise((resolve) => stream.on('response', resolve));
    pair.streams[0]?.respond({ ':status': 204 }, { endStream: true });
    expect(await answered).toMatchObject({ ':status': 204 });
  });

  test('a device that reports an error has not left, but its connection closes with the error', async () => {
    pair.peer.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    await expect.poll(() => events).toHaveLength(1);
    expect(events).toEqual([
      ['closed', session, expect.stringContaining(`code ${constants.NGHTTP2_ENHANCE_YOUR_CALM}`)],
    ]);
  });

  test('a connection that the device closes has this as its reason', async () => {
    pair.peer.destroy();
    await expect.poll(() => events.at(-1)).toEqual(['closed', session, 'the device closed the connection']);
  });

  test('an end by the proxy closes the session with its reason', async () => {
    session.end('the device was revoked');
    await expect.poll(() => events).toEqual([['closed', session, 'the device was revoked']]);
  });

  test('a session with 10,000 open streams takes no more', () => {
    const openStreams = vi.spyOn(session, 'openStreams', 'get');
    openStreams.mockReturnValue(9_999);
    expect(session.isSaturated).toBe(false);
    openStreams.mockReturnValue(10_000);
    expect(session.isSaturated).toBe(true);
  });

  test('a request to move is a ping of its own', async () => {
    session.requestMove();
    await pair.roundTrip();
    expect(pair.pings[0]).toBe(TUNNEL_MOVE_PING.toString('latin1'));
  });

  test('revocations are sent as a ping, and nothing is sent without any', async () => {
    session.sendRevocations(undefined);
    session.sendRevocations(Buffer.from('revoked!'));
    await pair.roundTrip();
    expect(pair.pings.slice(0, -1)).toEqual(['revoked!']);
  });
});
