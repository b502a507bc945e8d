import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@heliograph/kit';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import type { TestProject } from 'vitest/node';
import { PostgresServer, withConnection } from '../postgres/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of the run's PostgreSQL, which starts at the first question. */
    testPostgres: string;
    /** The prefix of the names of the run's databases. */
    testDatabases: string;
  }
}

/** Compiled code that Node keeps from one program to the next, as `npm start` does. */
const COMPILE_CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/node-compile');

/**
 * Vitest's global setup: one throw-away PostgreSQL for a whole run, started when the first test asks for it; or,
 * where DATABASE_URL is set, that server, on which every test makes and drops databases of its own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporaryFolder = await folderOfRun();
  process.env.TMPDIR = temporaryFolder;
  // Tests start many programs: each would compile all of itself again.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // Once, before several tests want it at the same time; tests that need the pages report what is wrong with them.
  await ensurePagesAreBuilt().catch(() => undefined);
  const given = process.env.DATABASE_URL;
  let started: Promise<PostgresServer> | undefined;
  const urlServer = createServer(async (_request, response) => {
    try {
      if (given === undefined) started ??= startThrowAway();
      response.end(given ?? (await started)?.url());
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  });
  urlServer.listen(0, '127.0.0.1');
  await once(urlServer, 'listening');
  const address = urlServer.address();
  if (address === null || typeof address === 'string') throw new Error('The test run has no local address');
  project.provide('testPostgres', `http://127.0.0.1:${address.port}/`);
  const testDatabases = `test_${randomBytes(4).toString('hex')}_`;
  project.provide('testDatabases', testDatabases);

  return async () => {
    urlServer.close();
    urlServer.closeAllConnections();
    const server = await started?.catch(() => undefined);
    await server?.stop();
    if (given !== undefined) await dropDatabases(given, testDatabases);
    await rm(temporaryFolder, { recursive: true, force: true });
  };
}

/** Drops the databases that tests left on a server that outlives them, such as templates. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  await withConnection(url, async (client) => {
    const left = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of left.rows) await client.query(`drop database if exists ${name} with (force)`);
  });
}

/** The folder of Linux whose files are in memory, and the most that a run needs there, in bytes. */
const MEMORY = { path: '/dev/shm', neededBytes: 3 * 2 ** 30 };

/**
 * A folder for all temporary files of this run, with a space and a letter beyond ASCII in its path, as people have them. It is in
 * memory where that is large enough, as in few containers: making a database or a data folder on a disk takes twenty times the processor time.
 */
async function folderOfRun(): Promise<string> {
  const free = await statfs(MEMORY.path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const isLarge = process.platform === 'linux' && free >= MEMORY.neededBytes;
  const folder = await realpath(await mkdtemp(join(isLarge ? MEMORY.path : tmpdir(), 'heliograph tests ü ')));
  // Open enough for the account that PostgreSQL runs under when the tests run as root.
  await chmod(folder, 0o711);
  return folder;
}

async function startThrowAway(): Promise<PostgresServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'postgres-'));
  // Open enough for the account that PostgreSQL runs under when the tests run as root.
  await chmod(dataFolder, 0o711);
  const password = randomBytes(16).toString('hex');
  const server = new PostgresServer({ dataFolder, password, durable: false, throwAway: true });
  try {
    await server.start();
  } catch (error) {
    await rm(dataFolder, { recursive: true, force: true });
    throw error;
  }
  return server;
}
