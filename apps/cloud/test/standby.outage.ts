import { setTimeout as delay } from 'node:timers/promises';
import { ensureDatabase, PostgresServer, withConnection } from '@heliograph/dev/postgres';
import { temporaryFolder } from '@heliograph/dev/testing';
import { ConfigError } from '@heliograph/kit';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOutage } from '../src/db/failures.ts';
import { databaseAddress } from '../src/db/primary.ts';
import { CloudProcess } from './cloud-process.ts';

const PATIENCE_MS = 60_000;
const DATABASE = 'heliograph';
const WRITERS = 3;
/** Below the number of API tokens that an account may have. */
const MAX_TOKENS = 60;

const undo = new AsyncDisposableStack();
let primary: PostgresServer;
let standby: PostgresServer;
let cloud: CloudProcess;

async function serverOfItsOwn(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const { path } = await temporaryFolder();
  const replication = standbyOf === undefined ? { replicated: true } : { standbyOf };
  const options = { dataFolder: path, password: 'test', durable: false, throwAway: true };
  const server = new PostgresServer({ ...options, ...replication });
  await server.start();
  return server;
}

/** Both hosts in one URL. The standby comes first, so that the order alone finds no primary. */
function urlOfBoth(): string {
  const url = new URL(primary.url(DATABASE));
  return url.href.replace(url.host, `127.0.0.1:${standby.port},${url.host}`);
}

beforeAll(async () => {
  primary = undo.use(await serverOfItsOwn());
  await ensureDatabase(primary, DATABASE);
  standby = undo.use(await serverOfItsOwn(primary));
  await primary.awaitStandby();
  cloud = undo.use(await CloudProcess.start(urlOfBoth()));
});
afterAll(() => undo.disposeAsync());

describe('a cloud whose PostgreSQL has a synchronous standby', () => {
  it('an acknowledged write outlives the primary that is killed under load, and the standby serves further ones', async () => {
    await cloud.announce('us-1');
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let isLoading = true;
    const write = async (writer: number): Promise<void> => {
      const { id } = await cloud.make.user();
      const token = await cloud.make.token(id, { kind: 'session' });
      for (let number = 1; isLoading && number <= MAX_TOKENS; number++) {
        const name = `${writer}-${number}`;
        const body = { name, scopes: ['sites:read_all'] };
        const { status } = await cloud.call('POST /api/v1/user/tokens', { token, body });
        statuses.add(status);
        if (status === 201) acknowledged.push(name);
        else {
          number -= 1;
          await delay(5);
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);

    await primary.kill();
    const beforePromotion = acknowledged.length;
    await expect.poll(() => statuses.has(503), { timeout: PATIENCE_MS }).toBe(true);
    await standby.promote();
    await expect
      .poll(() => acknowledged.length, { timeout: PATIENCE_MS })
      .toBeGreaterThan(beforePromotion + 20);
    isLoading = false;
    await Promise.all(writers);
    const stored = await withConnection(standby.url(DATABASE), async (client) => {
      const { rows } = await client.query<{ name: string }>('select name from tokens where name is not null');
      return new Set(rows.map(({ name }) => name));
    });
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect([...statuses].toSorted()).toEqual([201, 503]);
    expect((await fetch(`${cloud.url}/readyz`)).status).toBe(200);
    expect(cloud.process.exitCode).toBeNull();
  });
});

describe('databaseAddress', () => {
  const portOf = async (url: string): Promise<number> => {
    const client = new Client(databaseAddress(url));
    await client.connect();
    const { rows } = await client.query("select current_setting('port')::int as port");
    await client.end();
    return rows[0].port;
  };
  /** One URL for several servers, of which the last two are not there. */
  const urlOf = (...servers: readonly PostgresServer[]): string => {
    const hosts = [...servers.map(({ port }) => `127.0.0.1:${port}`), '127.0.0.1:1', '[::1]:1'];
    return `postgres://heliograph:test@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
  };

  it('a connection goes to the server that accepts writes, and to the newest of two that do', async () => {
    await using first = await serverOfItsOwn();
    await using second = await serverOfItsOwn(first);
    expect(await portOf(urlOf(second, first))).toBe(first.port);
    await second.promote();
    expect(await portOf(urlOf(first, second))).toBe(second.port);
    await first.stop();
    expect(await portOf(urlOf(first, second))).toBe(second.port);
    await second.stop();
    const failure = await portOf(urlOf(first, second)).catch((error: unknown) => error);
    expect(isOutage(failure)).toBe(true);
    expect(String(failure)).toContain('no database accepts writes: 127.0.0.1:');
    expect(String(failure)).not.toContain('heliograph:test');
  });

  it.each([
    'postgres://a:5432,b:x/name',
    'postgres://a,/name',
    'postgres://a,b/name?target_session_attrs=standby',
  ])('the address %s is refused', (url) => {
    expect(() => databaseAddress(url)).toThrow(ConfigError);
  });
});
