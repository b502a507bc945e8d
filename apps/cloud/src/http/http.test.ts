import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const ORIGIN = { origin: 'https://app.example.org' };

describe('CORS of the API', () => {
  it('a preflight request of any origin is allowed', async () => {
    for (const path of ['/api/v1/sites', '/api/v1/sites/7/authorize', '/api/v1/sign_in']) {
      const { status, headers } = await cloud.call(`OPTIONS ${path}`, {
        headers: { ...ORIGIN, 'access-control-request-method': 'POST' },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toMatch(/\bPOST\b.*\bDELETE\b/);
      for (const name of ['Authorization', 'Content-Type', 'Site-Id', 'Site-Key']) {
        expect(headers.get('access-control-allow-headers')).toContain(name);
      }
    }
  });

  it('every answer of the API allows any origin and no credentials, refusals included', async () => {
    const { token } = await cloud.make.user();
    const answers = await Promise.all([
      cloud.call('GET /api/v1/user', { token, headers: ORIGIN }),
      cloud.call('GET /api/v1/user', { headers: ORIGIN }),
      cloud.call('GET /api/v1/nonsense', { headers: ORIGIN }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

it('private answers forbid caching, and public ones allow it', async () => {
  const { id, email } = await cloud.make.user();
  const session = await cloud.make.token(id, { kind: 'session' });
  const home = await cloud.make.organization();
  const body = { email, password: PASSWORD, organization_id: 'none' };
  const answers = await Promise.all([
    cloud.call('POST /api/v1/sign_in', { body }),
    cloud.call('POST /api/v1/session', { token: session }),
    cloud.call('GET /api/v1/user', { token: session }),
    cloud.call('GET /api/v1/user'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401]);
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const forEverybody = await cloud.call(`GET /api/v1/organizations/${home}`);
  expect(forEverybody.headers.get('cache-control')).toMatch(/^public/);
});

describe('health checks', () => {
  it('/healthz and /readyz answer 200', async () => {
    expect(await cloud.call('GET /healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await cloud.call('GET /readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('the cloud serves again after PostgreSQL ended every connection', async () => {
    const { token } = await cloud.make.user();
    const get = () => cloud.call('GET /api/v1/user', { token });
    expect((await get()).status).toBe(200);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(cloud.db);
    // A request on a connection that is closing gets Retry-After.
    await expect.poll(async () => (await get()).status).toBe(200);
    expect((await cloud.call('GET /healthz')).status).toBe(200);
  });
});
