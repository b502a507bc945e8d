/**
 * Part of a release: records the tables of the cloud and of the device, with which later releases stay compatible. The database
 * is a temporary one.
 */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@heliograph/dev/postgres';
import { projectVersion } from '@heliograph/kit';
import { migrate } from '../apps/cloud/src/db/migrate.ts';
import { openDatabase } from '../apps/cloud/src/db/open.ts';
import { schemaFacts as cloudSchema } from '../apps/cloud/test/db/schema-facts.ts';
import { openDatabase as openDeviceDatabase } from '../apps/device/src/storage/database.ts';
import { MIGRATIONS } from '../apps/device/src/storage/migrations.ts';
import { schemaFacts as deviceSchema } from '../apps/device/test/storage/schema-facts.ts';

const ROOT = join(import.meta.dirname, '..');
const CLOUD_FILE = join(ROOT, 'apps/cloud/test/db/last-release.json');
const DEVICE_FILE = join(ROOT, 'apps/device/test/storage/last-release.json');
const release = projectVersion();

// Open enough for the account that PostgreSQL runs under when this runs as root.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'heliograph-release-')));
await chmod(folder, 0o711);
try {
  const server = new PostgresServer({
    dataFolder: folder,
    password: 'of a throw-away database',
    durable: false,
    throwAway: true,
  });
  await server.start();
  try {
    await migrate(server.url());
    const { pool, close } = openDatabase(server.url(), () => undefined);
    await writeFile(CLOUD_FILE, JSON.stringify({ release, tables: await cloudSchema(pool) }));
    await close();
  } finally {
    await server.stop();
  }
  const db = openDeviceDatabase(join(folder, 'device'));
  await writeFile(
    DEVICE_FILE,
    JSON.stringify({ release, schema: MIGRATIONS.length, tables: deviceSchema(db) }),
  );
  db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

execFileSync('biome', ['format', '--write', CLOUD_FILE, DEVICE_FILE], { stdio: 'ignore' });
