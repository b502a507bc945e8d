import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { generateSigningKey, type SigningKey, uidOf } from '@heliograph/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS } from '../../../test/cloud/uplink/test-uplink.ts';
import {
  CloudBusy,
  type ConnectOptions,
  CredentialsRejected,
  connectToCloud,
  requestIdOf,
} from './cloud-connect.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const READY = {
  status: 'ready',
  site_id: 7,
  site_name: 'home',
  proxy: { name: 'local-1', url: 'http://192.0.2.1' },
  tunnel_token: 'a token',
};

interface Answer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
}

let server: Server;
let key: SigningKey;
let answer: Answer = {};
let received: { readonly headers: IncomingHttpHeaders; readonly body: unknown };

beforeAll(async () => {
  key = await generateSigningKey();
  server = createServer(async (request, response) => {
    received = { headers: request.headers, body: await json(request) };
    const { status = 200, headers = {}, body = READY } = answer;
    response.sendDate = false;
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const connect = (options: Partial<ConnectOptions> = {}) =>
  connectToCloud({
    cloudUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uid: uidOf(key.publicJwk),
    key,
    facts: FACTS,
    support: { access: 'never', ended: [], events: [] },
    delegations: [],
    installation: undefined,
    region: undefined,
    unreachable: [],
    wantsRegistrationCode: false,
    nowMs: NOW,
    signal: AbortSignal.timeout(10_000),
    ...options,
  });

const failure = async (of: Answer): Promise<Error> => {
  answer = of;
  return await connect().then(
    () => new Error('none'),
    (error: Error) => error,
  );
};

describe('a call to the cloud', () => {
  it('a call has the facts of the device, and the id of its request', async () => {
    answer = {};
    expect(await connect()).toEqual(READY);
    expect(Object.keys(received.body as object)).toEqual([
      'public_key',
      'proof',
      'facts',
      'support',
      'delegations',
    ]);
    const more = { installation: 'a', region: 'eu', unreachable: ['local-2'] };
    await connect(more);
    expect(received.body).toMatchObject({ ...more, facts: FACTS });
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      traceparent: expect.stringMatching(/^00-/),
    });
  });

  it.each<[string, Answer, string]>([
    [
      'a failure with its reason',
      { status: 500, body: { error: 'no room' } },
      'the cloud answers 500: no room',
    ],
    ['a failure without one', { status: 502, body: {} }, 'the cloud answers 502: no reason given'],
    ['a failure with null', { status: 502, body: null }, 'the cloud answers 502: no reason given'],
    ['a failure with a text', { status: 502, body: '"bad"' }, 'the cloud answers 502: no reason given'],
    ['a failure without JSON', { status: 502, body: '<html>' }, 'the cloud answers 502: no reason given'],
    [
      'a reason that is no text',
      { status: 500, body: { error: 1 } },
      'the cloud answers 500: no reason given',
    ],
    ['no JSON', { body: 'a-token' }, 'the cloud answers something unknown'],
    ['an unknown status', { body: { ...READY, status: 'lost' } }, 'the cloud answers something unknown'],
    ['a redirection', { status: 307, headers: { location: '/elsewhere' } }, 'fetch failed'],
  ])('a call fails by its name at %s', async (_what, of, message) => {
    const error = await failure(of);
    expect(error.message).toBe(message);
    expect(error).not.toBeInstanceOf(CredentialsRejected);
    expect(received.headers.traceparent).toContain(requestIdOf(new Error('outer', { cause: error })));
  });

  it.each<[number, string | undefined, number | undefined]>([
    [429, '4', 4_000],
    [503, '4', 4_000],
    [503, '3600', 3_600_000],
    [503, '3601', 3_600_000],
    [503, undefined, undefined],
    [503, '0', undefined],
    [503, 'Sat, 28 Nov 2026 13:00:00 GMT', undefined],
    [500, '4', undefined],
  ])(
    'a device that is answered %i with Retry-After %s waits for %s ms',
    async (status, retryAfter, waitMs) => {
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const error = await failure({ status, headers, body: {} });
      expect(error instanceof CloudBusy ? error.retryAfterMs : undefined).toBe(waitMs);
    },
  );

  const at = (offsetMs: number): OutgoingHttpHeaders => ({ date: new Date(NOW + offsetMs).toUTCString() });

  it.each<[string, number, OutgoingHttpHeaders]>([
    ['equal clocks', 401, at(0)],
    ['clocks less than four minutes apart', 403, at(239_000)],
    ['no clock of the cloud', 401, {}],
  ])('a device is rejected with %s', async (_what, status, headers) => {
    const error = await failure({ status, headers, body: { error: 'unknown device' } });
    expect(error).toBeInstanceOf(CredentialsRejected);
    expect(error.message).toBe(`the cloud rejects this device (${status}): unknown device`);
  });

  it.each([240_000, -240_000])(
    'a device is not rejected while the clocks are %i ms apart',
    async (offsetMs) => {
      const error = await failure({ status: 401, headers: at(offsetMs), body: { error: 'stale proof' } });
      expect(error).not.toBeInstanceOf(CredentialsRejected);
      expect(error.message).toBe(
        "the cloud rejects this device (401): stale proof; this device's clock says 2026-11-28T12:00:00.000Z, " +
          `the cloud's ${new Date(NOW + offsetMs).toISOString()}`,
      );
    },
  );

  it('a call ends when it is aborted', async () => {
    await expect(connect({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  });
});

it.each([undefined, 'text', new Error('other'), new Error('outer', { cause: new Error('inner') })])(
  'the error %s is about no request',
  (error) => expect(requestIdOf(error)).toBeUndefined(),
);
