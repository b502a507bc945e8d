import type { DeviceClient, Metric } from '@heliograph/client';
import { parseArguments } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { bareText, metricTable } from '../terminal/metric-table.ts';
import { watch } from '../terminal/watch.ts';

export const metrics: Command = {
  name: 'metrics',
  summary: 'read live values of a site',
  help: `heliograph metrics SITE [-t GLOB]... [--value] [--json] [--watch]
heliograph metrics --device HOST[:PORT] [-t GLOB]... [--value] [--json] [--watch]

Reads the live values of a site, given by its id or name.

  -t, --topic GLOB      only these topics, such as 'total/*'; may be repeated
  --value               print bare values, one per line
  --json                print JSON: one list, or with --watch one object per line
  --watch               go on printing values as they change, until Ctrl-C
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      topic: { type: 'string', short: 't', multiple: true, default: [] },
      value: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      ...DEVICE_OPTIONS,
    });
    const { device } = await openTarget(values, positionals, []);
    const globs = values.topic.length === 0 ? ['*'] : values.topic;
    const format = values.json ? 'json' : values.value ? 'value' : 'table';
    if (values.watch) return await watch(device, globs, format, terminal);

    const rows = await readAll(device, globs, format === 'json');
    if (rows.length === 0 && format !== 'json')
      throw new CommandFailed(`Nothing matches ${globs.join(', ')}`);
    if (format === 'json') terminal.print(JSON.stringify(rows, null, 2));
    else if (format === 'value') for (const { value } of rows) terminal.print(bareText(value));
    else
      for (const line of metricTable(rows, Date.now(), { title: (text) => terminal.bold(text) }))
        terminal.print(line);
    return 0;
  },
};

/** The device takes one glob per read; a metric that several match is listed once. */
async function readAll(
  device: DeviceClient,
  globs: readonly string[],
  discovery: boolean,
): Promise<readonly Metric[]> {
  const reads = await Promise.all(globs.map((topic) => device.metrics({ topic, discovery })));
  return [...new Map(reads.flat().map((metric) => [metric.topic, metric])).values()];
}
