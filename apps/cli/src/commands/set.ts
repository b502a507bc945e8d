import type { DeviceClient, Metric } from '@heliograph/client';
import { parseArguments, printable } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { unitText, valueText } from '../terminal/metric-table.ts';

export const set: Command = {
  name: 'set',
  summary: 'change a setting of an inverter',
  help: `heliograph set SITE TOPIC VALUE
heliograph set --device HOST[:PORT] TOPIC VALUE

Changes a setting of the hardware, at once and for real, and prints the old value and the new one as the
hardware reports it. SITE is a site's id or name.

${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, DEVICE_OPTIONS);
    const { device, rest } = await openTarget(values, positionals, ['topic', 'value']);
    const [topic = '', value = ''] = rest;
    const before = await read(device, topic);
    await device.set(topic, value);
    const after = await read(device, topic);
    terminal.print(`${printable(topic)}: ${textOf(before)} → ${textOf(after)}`);
    return 0;
  },
};

async function read(device: DeviceClient, topic: string): Promise<Metric | undefined> {
  const rows = await device.metrics({ topic });
  return rows.find((row) => row.topic === topic);
}

function textOf(metric: Metric | undefined): string {
  return metric === undefined ? '-' : `${valueText(metric.value)} ${unitText(metric.unit)}`.trimEnd();
}
