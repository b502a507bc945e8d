import { createTestDatabase } from '@heliograph/dev/testing';
import { ConfigError, silentLogger } from '@heliograph/kit';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { cloudDatabase, testConfig } from '../test/test-cloud.ts';
import { startCloud } from './cloud.ts';
import type { CloudConfig } from './common/config/env.ts';

const options = { logger: silentLogger };

const configFor = (databaseUrl: string, changes: Partial<CloudConfig> = {}): CloudConfig =>
  testConfig(databaseUrl, { deviceActivation: 'manual', ...changes });

const fetchKeys = (url: string, headers = {}) => fetch(`${url}/.well-known/jwks.json`, { headers });

const jwksOf = async (url: string) => {
  const answer = await fetchKeys(url);
  return {
    cacheControl: answer.headers.get('cache-control'),
    ...((await answer.json()) as { keys: object[] }),
  };
};

it('several clouds that start at once on an empty database have the same keys', async () => {
  await using database = await createTestDatabase();
  const clouds = await Promise.all([1, 2, 3].map(() => startCloud(configFor(database.url), options)));
  const sets = await Promise.all(clouds.map(({ facts }) => jwksOf(facts.url)));
  expect(sets[0]?.keys).toHaveLength(2);
  expect(sets[1]).toEqual(sets[0]);
  expect(sets[2]).toEqual(sets[0]);
  await Promise.all(clouds.map((cloud) => cloud.stop()));
});

it('the cloud publishes public keys alone, keeps its keys over a restart, and stores them sealed', async () => {
  await using database = await createTestDatabase();
  const first = await startCloud(configFor(database.url), options);
  const published = await jwksOf(first.facts.url);
  const etag = (await fetchKeys(first.facts.url)).headers.get('etag') ?? '';
  // A reverse proxy that compresses answers makes their tags weak ones.
  for (const tag of [etag, `W/${etag}`]) {
    const again = await fetchKeys(first.facts.url, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  await first.stop();
  expect(published).toEqual({
    cacheControl: 'public, no-cache',
    keys: Array(2).fill({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: expect.any(String),
      x: expect.any(String),
    }),
  });

  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ sealed: Buffer }>(
    'select sealed_private_key as sealed from signing_keys',
  );
  await client.end();
  expect(rows[0]?.sealed.includes('OKP')).toBe(false);

  const second = await startCloud(configFor(database.url), options);
  expect(await jwksOf(second.facts.url)).toEqual(published);
  await second.stop();
});

it('the cloud does not start with another secret than the one that sealed its keys', async () => {
  await using database = await createTestDatabase();
  await (await startCloud(configFor(database.url), options)).stop();
  const start = startCloud(
    configFor(database.url, { secret: { used: 'x'.repeat(32), accepted: undefined } }),
    options,
  );
  await expect(start).rejects.toThrow(ConfigError);
  await expect(start).rejects.toThrow(/CLOUD_SECRET/);
});

it('a start on a port in use fails with EADDRINUSE and leaves no database connection open', async () => {
  await using database = await cloudDatabase();
  const first = await startCloud(configFor(database.url), options);
  const port = Number(new URL(first.facts.url).port);
  await expect(startCloud(configFor(database.url, { port }), options)).rejects.toThrow(`EADDRINUSE`);
  await first.stop();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const others = async () => {
    const { rows } = await client.query(`select application_name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    return rows;
  };
  await expect.poll(others).toEqual([]);
  await client.end();
});

it('a start without a database names the variable and the reason', async () => {
  // No program takes port 1.
  const start = startCloud(configFor('postgres://user:secret@127.0.0.1:1/none'), options);
  await expect(start).rejects.toThrow(
    'DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  );
  await expect(start).rejects.toThrow(ConfigError);
});

it('the public address is the configured one', async () => {
  await using database = await cloudDatabase();
  const cloud = await startCloud(configFor(database.url, { url: 'https://cloud.example.org' }), options);
  expect(cloud.facts.url).toBe('https://cloud.example.org');
  await cloud.stop();
});
