import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen, sendJson } from '../../test/http.ts';
import { createCloudClient } from '../cloud-client.ts';
import { DeviceClient } from '../device-client.ts';
import type { RetryChoice } from './retry.ts';

const QUICK = { minMs: 1, maxMs: 1_000 };

describe('retries', () => {
  let address: string;
  /** Answers to the next requests, in order; then everything succeeds. */
  let failures: ((response: ServerResponse) => void)[];
  let requests: string[];
  const server = () =>
    createServer((request, response) => {
      requests.push(`${request.method} ${request.headers.authorization}`);
      const fail = request.headers.authorization === 'Bearer old' ? answer(401) : failures.shift();
      if (fail === undefined) sendJson(response, 200, []);
      else fail(response);
    });
  let running: ReturnType<typeof server>;

  beforeEach(async () => {
    [failures, requests, running] = [[], [], server()];
    address = await listen(running);
  });
  afterEach(() => closeServer(running));

  const answer =
    (status: number, headers = {}) =>
    (response: ServerResponse) =>
      response.writeHead(status, headers).end('{}');
  const disconnect = (response: ServerResponse) => response.destroy();
  const cloud = (retry?: RetryChoice) =>
    createCloudClient({ url: `http://${address}`, token: 't', ...(retry !== undefined && { retry }) });
  const device = (retry: RetryChoice = QUICK) => new DeviceClient({ address, token: 't' }, { retry });

  it.each([
    ['a busy server', answer(429, { 'retry-after': '0' })],
    ['an unavailable server', answer(503)],
    ['a proxy without its device', answer(502)],
    ['a late device', answer(504)],
    ['a lost connection', disconnect],
  ])('a read is repeated after the failure of %s', async (_what, failure) => {
    failures = [failure, failure];
    expect(await cloud(QUICK).listSites()).toEqual([]);
    failures = [failure];
    expect(await device().metrics()).toEqual([]);
    expect(requests).toHaveLength(5);
  });

  it('a read is not repeated more often than the caller wants', async () => {
    failures = Array(9).fill(answer(503));
    await expect(cloud({ ...QUICK, attempts: 2 }).listSites()).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 409, 422, 500])('a read is not repeated after status %i', async (status) => {
    failures = [answer(status)];
    await expect(cloud(QUICK).listSites()).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('a read is not repeated where the server asks for a longer wait than the caller accepts', async () => {
    failures = [answer(429, { 'retry-after': '3600' })];
    await expect(cloud().listSites()).rejects.toMatchObject({ status: 429, retryAfterS: 3600 });
    expect(requests).toHaveLength(1);
  });

  it('a caller switches retries off', async () => {
    failures = [answer(503), disconnect];
    await expect(cloud(false).listSites()).rejects.toMatchObject({ status: 503 });
    await expect(device(false).metrics()).rejects.toThrow('the connection was closed');
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['status 503', answer(503)],
    ['status 429', answer(429, { 'retry-after': '0' })],
    ['a lost connection', disconnect],
  ])('a write to the hardware is sent once, also after %s', async (_what, failure) => {
    failures = [failure];
    await expect(device().set('inverter_1/battery_reserve', 25)).rejects.toThrow();
    expect(requests).toEqual(['POST Bearer t']);
  });

  it('a change in the cloud is sent once', async () => {
    failures = [answer(503)];
    await expect(cloud(QUICK).renameSite({ id: 1, name: 'a' })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(1);
  });

  it('a signal ends the wait for the next attempt at once', async () => {
    const caller = new AbortController();
    failures = [
      (response) => {
        answer(503)(response);
        response.on('close', () => setImmediate(() => caller.abort()));
      },
    ];
    const slow = { minMs: 600_000, maxMs: 600_000 };
    await expect(cloud(slow).listSites({}, { signal: caller.signal })).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  describe('a refused token', () => {
    it('the client renews a token once for all requests that it was refused for', async () => {
      let renewals = 0;
      const renew = async () => {
        renewals++;
        return { address, token: 'new' };
      };
      const client = new DeviceClient({ address, token: 'old' }, { renew });
      await Promise.all(Array.from({ length: 5 }, () => client.metrics()));
      expect(renewals).toBe(1);
      expect(requests.filter((request) => request === 'GET Bearer new')).toHaveLength(5);
    });

    it('a signal ends the wait for a new token at once', async () => {
      const caller = new AbortController();
      const renew = () => {
        caller.abort();
        return new Promise<never>(() => undefined);
      };
      const client = new DeviceClient({ address, token: 'old' }, { renew });
      await expect(client.metrics({ signal: caller.signal })).rejects.toThrow('given up');
    });
  });
});
