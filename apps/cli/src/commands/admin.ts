import { existsSync } from 'node:fs';
import { COMPILE_CACHE, programAt, type RunFile, readRunFile } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const admin: Command = {
  name: 'admin',
  summary: 'operate a cloud, on its database: accounts, organizations, devices, tokens',

  async run(args) {
    const main = programAt('apps/cloud/src/admin/main');
    if (!existsSync(main)) {
      throw new CommandFailed('"heliograph admin" comes with a cloud: it is not installed here');
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
