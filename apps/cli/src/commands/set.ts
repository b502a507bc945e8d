import type { DeviceClient, Metric } from '@heliograph/client';
import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { withDeviceSession } from '../target/device-session.ts';
import { withOwnSession } from '../target/own-session.ts';
import { readRunFile } from '../target/run-file.ts';
import { lanSettings } from '../target/settings.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { unitText, valueText } from '../terminal/metric-table.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const set: Command = {
  name: 'set',
  summary: 'change a setting of an inverter',
  help: `heliograph set SITE TOPIC VALUE [--in-person]
heliograph set --device HOST[:PORT] TOPIC VALUE [--in-person]

Changes a setting of the hardware, at once and for real, and prints the old value and the new one as the
hardware reports it. That takes up to ten seconds. SITE is a site's id or name.

  --in-person           sign in with the account's password, or the device's with --device: programs leave a
                        fifth of a day's writes of a setting to people, and a token is a program

${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      ...DEVICE_OPTIONS,
      'in-person': { type: 'boolean', default: false },
    });
    const names = ['topic', 'value'];
    if (!values['in-person']) {
      const { device, rest } = await openTarget(values, positionals, names);
      await change(device, rest, terminal);
    } else if (values.device !== undefined) {
      expectArguments(positionals, names);
      const access = lanSettings(values.device, values.password, process.env, readRunFile(process.env));
      await withDeviceSession(access, (device) => change(device, positionals, terminal));
    } else {
      await withOwnSession(terminal, async (cloud) => {
        const { device, rest } = await openTarget(values, positionals, names, () => cloud);
        await change(device, rest, terminal);
      });
    }
    return 0;
  },
};

async function change(
  device: DeviceClient,
  [topic = '', value = '']: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const before = await read(device, topic);
  await device.set(topic, value);
  const after = await read(device, topic);
  terminal.print(`${printable(topic)}: ${textOf(before)} → ${textOf(after)}`);
}

async function read(device: DeviceClient, topic: string): Promise<Metric | undefined> {
  const rows = await device.metrics({ topic });
  return rows.find((row) => row.topic === topic);
}

function textOf(metric: Metric | undefined): string {
  return metric === undefined ? '-' : `${valueText(metric.value)} ${unitText(metric.unit)}`.trimEnd();
}
