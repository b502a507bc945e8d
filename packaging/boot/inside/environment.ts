import { writeFile } from 'node:fs/promises';
import { ENVIRONMENT_FILES } from '@heliograph/kit/testing';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';
import { startMailServer } from './surroundings.ts';

const CLOUD_ENV = '/etc/heliograph-cloud/cloud.env';

/** Commands that only a shell would execute. */
const COMMANDS = '`touch /root/executed` $(touch /root/executed)';

/** Environment files of services, as systemd and the commands read them. */
export const environmentSteps: readonly Step[] = [
  {
    title: 'systemd reads environment files as the tests of their parser expect',
    async run() {
      const version = Number(expectMatch(await shell('systemctl --version'), /^systemd (\d+)/)[1]);
      for (const [what, text, present, earlier = present] of ENVIRONMENT_FILES) {
        const variables = version < 254 ? earlier : present;
        await writeFile('/root/environment', text);
        const printed = await shell(
          'systemd-run --quiet --wait --pipe --property=EnvironmentFile=/root/environment /usr/bin/env --null',
        );
        const found = new Map(
          printed.split('\0').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]),
        );
        const names = Object.keys(variables);
        const foundNames = [...found.keys()].filter((name) => /^[A-F]$/.test(name ?? ''));
        if (foundNames.toSorted().join() !== names.toSorted().join())
          throw new Error(`${what}: ${JSON.stringify([...found])}`);
        for (const name of names)
          if (found.get(name) !== variables[name])
            throw new Error(`${what}: ${name} is ${JSON.stringify(found.get(name))}`);
      }
      return `${ENVIRONMENT_FILES.length} files by systemd ${version}`;
    },
  },
  {
    title:
      'heliograph admin works with a password that a shell would expand, and executes nothing of cloud.env',
    async run() {
      const password = 'pa$word`1`$(2)';
      const mailServer = await startMailServer();
      const quoted = password.replaceAll(/[$`]/g, '\\$&');
      await shell(
        `cd / && runuser --user postgres -- psql --quiet --command "ALTER ROLE heliograph PASSWORD '${quoted}'"`,
      );
      await shell(`cp --preserve ${CLOUD_ENV} /root/cloud.env
cat >>${CLOUD_ENV} <<'END'
SMTP_URL="${mailServer}"
DATABASE_URL="postgres://heliograph:${password}@127.0.0.1:5432/heliograph"
MAIL_FROM="Example ${COMMANDS} <mail@example.org>"
END
systemctl restart heliograph-cloud`);
      expectMatch(await shell('heliograph admin users list'), /you@example\.org/);
      await until(() => shell('curl --silent --fail http://127.0.0.1:4000/readyz'));
      await shell('! test -e /root/executed');
    },
  },
  {
    title: 'a mail server whose name is only in /etc/hosts takes a mail',
    async run() {
      await shell(
        'heliograph admin users create grace@example.org --first-name Grace --last-name Hopper --invite',
      );
      await until(async () =>
        expectMatch(await shell('journalctl --unit mail --output cat'), /^To: .*grace@example\.org/m),
      );
    },
  },
];
