import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AuditEntry } from '@heliograph/contracts';
import {
  FORWARDED_CASES,
  type ForwardedCase,
  TRUSTED_RANGE,
} from '@heliograph/dev/testing/forwarded-headers';
import { silentLogger } from '@heliograph/kit';
import { RequestObserver } from '@heliograph/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { levelOfRequests } from '../operator/monitoring/request-levels.ts';
import { createApp } from './app.ts';
import type { App } from './app-type.ts';

const HOST = 'cloud.example';

describe.each([
  ['a trusted proxy', ['127.0.0.1', TRUSTED_RANGE]],
  ['anybody', [TRUSTED_RANGE]],
])('requests of %s', (who, trustedProxies) => {
  let app: App;
  let port: number;
  beforeAll(async () => {
    app = createApp({
      logger: silentLogger,
      observer: new RequestObserver({ logger: silentLogger, levelOf: levelOfRequests }),
      onOutage: () => undefined,
      trustedProxies,
      rewriteUrl: (url) => url,
    });
    app.get('/client', async ({ ip, host, protocol }) => ({ address: ip, host, scheme: protocol }));
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => app.close());

  it('forwarding headers resolve to the client of a trusted proxy alone', async () => {
    const resolved = async (headers: object) => {
      const call = request({ port, path: '/client', headers: { host: HOST, ...headers } }).end();
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      return json(answer);
    };
    for (const { headers, ...client } of FORWARDED_CASES) {
      const {
        address = '127.0.0.1',
        scheme = 'http',
        host = HOST,
      }: Partial<ForwardedCase> = who === 'anybody' ? {} : client;
      expect({ headers, ...((await resolved(headers)) as object) }).toEqual({
        headers,
        address,
        scheme,
        host,
      });
    }
  });
});

describe('sign-ins through a proxy that forwards ports', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud?.[Symbol.asyncDispose]());

  const signIn = (from: string, email: string, password = PASSWORD) =>
    cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' }, from });

  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"203.0.113.9"', '203.0.113.9'],
  ])('a sign-in from %s is recorded with the address %s', async (from, address) => {
    const { email } = await cloud.make.user();
    const { body } = await signIn(from, email);
    const activity = await cloud.call<AuditEntry[]>('GET /api/v1/user/audit', { token: String(body.token) });
    expect(activity.body).toMatchObject([{ action: 'account.signed_in', address }]);
  });

  it('clients with ports do not share the limit of one network', async () => {
    const statuses = new Set<number>();
    for (let client = 1; client <= 60; client++) {
      const { status } = await signIn(
        `198.51.100.${client}:${40_000 + client}`,
        `no${client}@example.org`,
        'Wrong-7-horse',
      );
      statuses.add(status);
    }
    expect([...statuses]).toEqual([401]);
  });
});
