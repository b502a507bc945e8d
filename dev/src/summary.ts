import { DEFAULT_DATA_FOLDER } from './config.ts';
import type { RunFile } from './run-file.ts';

/** The text that `npm start` prints once everything runs. */
export function summaryOf(
  run: RunFile,
  facts: { startedInMs: number; dataFolder: string; logFolder: string },
): string {
  const { cloud, proxy, device, plant, account, site } = run;
  const rows = [
    ['cloud', cloud.url],
    ['proxy', proxy.url],
    ['device', device.url],
    ['API reference', `${cloud.url}/docs`],
    ['agents (MCP)', `${cloud.url}/mcp`],
    ['mailbox', `${cloud.url}/mailbox`],
    ['plant', `${plant.modbus} (Modbus TCP, SunSpec, unit 1)`],
    [],
    ['account', account.email],
    ['password', account.password],
    ['API token', account.api_token],
    ['device password', `${device.password} (user admin)`],
    [],
    ['data', facts.dataFolder],
    ['logs', facts.logFolder],
  ];
  const table = rows.map(([name, value]) => (name === undefined ? '' : `  ${name.padEnd(17)}${value}`));
  const command = `${dataFolderPrefix(facts.dataFolder)}npx heliograph`;
  return `
Heliograph runs, ready after ${(facts.startedInMs / 1000).toFixed(1)} s.

${table.join('\n')}

Try, in another terminal:

  ${command} sites
  ${command} metrics ${site.name} -t 'total/*'
  ${command} set ${site.name} inverter_1/battery_reserve 25

Ctrl-C stops everything.
`;
}

/** The command line reads the default folder; any other goes in its environment. */
function dataFolderPrefix(dataFolder: string): string {
  if (dataFolder === DEFAULT_DATA_FOLDER) return '';
  const quoted = /^[\w./-]+$/.test(dataFolder) ? dataFolder : `'${dataFolder.replaceAll("'", "'\\''")}'`;
  return `HELIOGRAPH_DATA=${quoted} `;
}
