import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { failureOf, outputOf, requireMatch } from './output-of.ts';

const FOLDER = join(import.meta.dirname, '../containers');

export const COMPOSE_FILE = join(FOLDER, 'compose.yaml');
/** Changes to it, for HAProxy in the place of Caddy. */
export const HAPROXY_COMPOSE_FILE = join(FOLDER, 'compose.haproxy.yaml');

/** The variables that `.env` must have: three secrets, and values that depend on the operator. */
export const COMPOSE_ENVIRONMENT = {
  HELIOGRAPH_SECRET: 'x'.repeat(64),
  HELIOGRAPH_DATABASE_PASSWORD: 'y'.repeat(64),
  HELIOGRAPH_POSTGRES_PASSWORD: 'z'.repeat(64),
  HELIOGRAPH_DOMAIN: 'example.org',
  SMTP_URL: 'smtp://mail.example.org:587',
  MAIL_FROM: 'Example Solar <mail@example.org>',
};

/** The compose file is valid, and names each variable that is not set. @returns what was not checked, and why */
export async function checkCompose(): Promise<readonly string[]> {
  const [program, ...before] = composeCommand() ?? [];
  if (program === undefined) return ['compose: docker compose 2 or later is not installed'];
  const args = [...before, '--file', COMPOSE_FILE, 'config'];
  const { PATH } = process.env;
  const environment = { PATH, HOME: '/nonexistent', ...COMPOSE_ENVIRONMENT };
  const config = await outputOf(program, args, { cwd: FOLDER, env: environment });
  for (const service of ['database', 'cloud', 'credential', 'proxy', 'caddy'])
    requireMatch(config, new RegExp(`^  ${service}:$`, 'm'));
  const behindHaproxy = ['--file', COMPOSE_FILE, '--file', HAPROXY_COMPOSE_FILE, 'config', '--services'];
  const services = await outputOf(program, [...before, ...behindHaproxy], { cwd: FOLDER, env: environment });
  requireMatch(services.split('\n').toSorted().join(' '), /^ ?cloud credential database haproxy proxy$/);
  for (const name of Object.keys(COMPOSE_ENVIRONMENT)) {
    const refusal = await failureOf(program, args, { cwd: FOLDER, env: { ...environment, [name]: '' } });
    requireMatch(refusal, new RegExp(`write ${name} into \\.env`));
  }
  console.log('ok       compose');
  return [];
}

/** The plugin of docker, or the program of its own. Version 1 reads no file with a name. */
function composeCommand(): readonly string[] | undefined {
  const commands = [['docker', 'compose'], ['docker-compose']];
  return commands.find(([program = '', ...args]) => {
    const { status, stdout } = spawnSync(program, [...args, 'version', '--short'], { encoding: 'utf8' });
    return status === 0 && !/^v?1\./.test(stdout);
  });
}
