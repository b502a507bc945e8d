import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, COMPILE_CACHE, type RunFile, readRunFile } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const admin: Command = {
  name: 'admin',
  summary: 'operate a cloud, on its database: accounts, organizations, devices, tokens',

  async run(args) {
    const main = join(CHECKOUT, 'apps/cloud/src/admin/main.ts');
    if (!existsSync(main)) {
      throw new CommandFailed('"heliograph admin" works in a checkout of the project only');
    }
    const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...ofRunningSystem(process.env) };
    return await runForeground(main, { args, cwd: process.cwd(), env, readsInput: true });
  },
};

/** The environment of the system that `npm start` runs, unless this one names a database. */
function ofRunningSystem(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.DATABASE_URL) return {};
  const { database_url: databaseUrl, url }: Partial<RunFile['cloud']> = readRunFile(env)?.cloud ?? {};
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, CLOUD_URL: url };
}
