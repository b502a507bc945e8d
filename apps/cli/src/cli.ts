import { projectVersion } from '@heliograph/kit';
import { UsageError } from '@heliograph/kit/terminal';
import { admin } from './commands/admin.ts';
import { alerts } from './commands/alerts.ts';
import { cloudHistory } from './commands/cloud-history.ts';
import { device } from './commands/device.ts';
import { diagnostics } from './commands/diagnostics.ts';
import { energy } from './commands/energy.ts';
import { exportData } from './commands/export.ts';
import { invite } from './commands/invite.ts';
import { log } from './commands/log.ts';
import { members } from './commands/members.ts';
import { metrics } from './commands/metrics.ts';
import { register } from './commands/register.ts';
import { release } from './commands/release.ts';
import { replace } from './commands/replace.ts';
import { set } from './commands/set.ts';
import { sites } from './commands/sites.ts';
import { start } from './commands/start.ts';
import { tariffs } from './commands/tariffs.ts';
import { updates } from './commands/updates.ts';
import type { Command } from './terminal/command.ts';
import { failureLine } from './terminal/failures.ts';
import type { Terminal } from './terminal/terminal.ts';

const COMMANDS: readonly Command[] = [
  start,
  sites,
  metrics,
  energy,
  alerts,
  tariffs,
  set,
  log,
  diagnostics,
  members,
  invite,
  register,
  release,
  updates,
  cloudHistory,
  replace,
  exportData,
  device,
  admin,
];

const HELP = `heliograph COMMAND [ARGUMENTS]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(11)} ${summary}`).join('\n')}

"heliograph COMMAND --help" tells more about one of them.

The cloud is the one at HELIOGRAPH_URL, entered with HELIOGRAPH_TOKEN; without them, the one that "heliograph
start" or "npm start" runs on this machine. A device on the local network needs no cloud: --device and
--password.`;

/**
 * Runs the command line.
 *
 * @returns exit code: 0 done, 1 failed, 2 typed wrongly
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = args;
  const command = COMMANDS.find(({ name }) => name === word);
  try {
    if (command !== undefined) {
      if (command.help === undefined || !wantsHelp(rest)) return await command.run(rest, terminal);
      terminal.print(command.help);
      return 0;
    }
    if (word === '--version') terminal.print(projectVersion());
    else if (word === undefined || word === 'help' || wantsHelp([word])) terminal.print(HELP);
    else throw new UsageError(`There is no ${word.startsWith('-') ? 'option' : 'command'} "${word}"`);
    return word === undefined ? 2 : 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    const hint = usage ? ` (see "heliograph${command === undefined ? '' : ` ${command.name}`} --help")` : '';
    terminal.warn(`heliograph: ${failureLine(error)}${hint}`);
    return usage ? 2 : 1;
  }
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}
