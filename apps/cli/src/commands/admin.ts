import { findPart } from '../target/installed-part.ts';
import { type RunFile, readRunFile } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const admin: Command = {
  name: 'admin',
  summary: 'operate a cloud, on its database: accounts, organizations, devices, sites, tokens',

  async run(args) {
    const part = findPart('cloud', process.env);
    if (part === undefined) {
      throw new CommandFailed('"heliograph admin" comes with a cloud: none is installed here');
    }
    const env = { ...part.env, ...ofRunningSystem(part.env) };
    return await runForeground(part.main, { ...part, env, args, cwd: process.cwd(), readsInput: true });
  },
};

/** The environment of the system that `npm start` runs, unless this one names a database. */
function ofRunningSystem(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return {};
  const { database_url: databaseUrl, url }: Partial<RunFile['cloud']> = readRunFile(env)?.cloud ?? {};
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, CLOUD_URL: url };
}
