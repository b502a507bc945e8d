import type { DeviceClient, MetricChange, MetricDefinition, MetricValue } from '@heliograph/client';
import { printable } from '@heliograph/kit/terminal';
import { bareText, unitText, valueText } from './metric-table.ts';
import type { Terminal } from './terminal.ts';

export type WatchFormat = 'table' | 'value' | 'json';

/**
 * Prints values as they change, until Ctrl-C or until the output is closed. Repeated values are left
 * out.
 */
export async function watch(
  device: DeviceClient,
  topics: readonly string[],
  format: WatchFormat,
  terminal: Terminal,
): Promise<number> {
  const units = new Map<string, string>();
  const seen = new Map<string, MetricValue>();
  const show = ({ topic, value }: MetricChange): void => {
    if (seen.get(topic) === value) return;
    seen.set(topic, value);
    terminal.print(lineOf(format, topic, value, units.get(topic) ?? '', new Date()));
  };
  const define = (definitions: readonly MetricDefinition[]): void => {
    for (const { topic, unit } of definitions) units.set(topic, unit);
  };

  const stream = device.stream({
    topics,
    onDefinitions: define,
    onMetrics: (changes) => changes.forEach(show),
    onStatus: (status) => {
      if (status.state === 'reconnecting') terminal.warn(`${status.reason}; connecting again`);
    },
  });
  const close = (): void => stream.close();
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
  terminal.closed.addEventListener('abort', close);
  await stream.ended;
  return 0;
}

function lineOf(format: WatchFormat, topic: string, value: MetricValue, unit: string, at: Date): string {
  if (format === 'json') return JSON.stringify({ time: at.toISOString(), topic, value, unit });
  if (format === 'value') return bareText(value);
  const time = at.toTimeString().slice(0, 8);
  return `${time} ${printable(topic)} ${valueText(value)} ${unitText(unit)}`.trimEnd();
}
