import type { RunFile } from './run-file.ts';

/** What `npm start` prints once everything runs. */
export function summaryOf(
  run: RunFile,
  facts: { startedInMs: number; dataFolder: string; logFolder: string },
): string {
  const { cloud, proxy, device, plant, account, site } = run;
  const rows = [
    ['cloud', cloud.url],
    ['proxy', proxy.url],
    ['device', device.url],
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
  return `
Heliograph runs, ready after ${(facts.startedInMs / 1000).toFixed(1)} s.

${table.join('\n')}

Try, in another terminal:

  npx heliograph sites
  npx heliograph metrics ${site.name} -t 'total/*'
  npx heliograph set ${site.name} inverter_1/battery_reserve 25

Ctrl-C stops everything.
`;
}
