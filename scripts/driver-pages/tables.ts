import type { Quantity } from '@heliograph/metrics';
import type { DescribedQuantity, DescribedUnit } from '../../apps/device/src/drivers/described-unit.ts';
import { type DriverFamily, serialLineOf } from '../../apps/device/src/drivers/driver.ts';
import { transportsOf } from '../../apps/device/src/drivers/transports.ts';

/** The map of a family as Markdown: its connection, then each unit with all its metrics and settings. */
export function familyTables(family: DriverFamily): readonly string[] {
  const { describedUnits, options } = family;
  return [
    ...connectionTable(family),
    ...(options === undefined ? [] : ['', ...optionTable(options.properties)]),
    ...describedUnits.flatMap((unit) => ['', ...unitTables(unit)]),
  ];
}

function connectionTable(family: DriverFamily): readonly string[] {
  const { name, protocols, probe: { units = [], baudRates = [] } = {} } = family;
  const line = serialLineOf(family);
  const hasLine = transportsOf(family).some(
    (transport) => transport === 'modbus-rtu' || transport === 'serial',
  );
  const setting =
    line &&
    `${line.baudRate} baud, 8 data bits, ${line.parity === 'none' ? 'no' : line.parity} parity, ${line.stopBits} stop bit${line.stopBits === 1 ? '' : 's'}`;
  const rows: readonly (readonly [string, string])[] = [
    ['driver', code(name)],
    ['connected through', transportsOf(family).map(code).join(', ')],
    ...(hasLine && setting !== undefined ? ([['serial line', setting]] as const) : []),
    ...(family.unaddressed ? ([['unit', 'none: leave it out; a line carries one device']] as const) : []),
    ...(baudRates.length > 0 ? ([['a probe also tries (baud)', baudRates.join(', ')]] as const) : []),
    ...(units.length > 0 ? ([['a probe also tries (unit)', units.join(', ')]] as const) : []),
    ['recordings are of', protocols.map(code).join(', ')],
  ];
  return table(['connection', ''], rows);
}

/** The parts of an option's schema that the table shows. */
interface OptionSchema {
  readonly description?: string;
  readonly default?: unknown;
}

function optionTable(properties: Readonly<Record<string, unknown>>): readonly string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { description = '', default: fallback }: OptionSchema = Object(schema);
    return [code(name), description, fallback === undefined ? '' : code(String(fallback))];
  });
  return table(['option', 'means', 'default'], rows);
}

function unitTables({ title, rows }: DescribedUnit): readonly string[] {
  const settings = rows.filter(({ quantity }) => quantity.setting !== undefined);
  const metrics = rows.filter(({ quantity }) => quantity.setting === undefined);
  const tables = [
    ...(metrics.length === 0 ? [] : ['', ...metricTable(metrics)]),
    ...(settings.length === 0 ? [] : ['', ...settingTable(settings)]),
  ];
  return [`### ${title}`, ...tables];
}

function metricTable(rows: readonly DescribedQuantity[]): readonly string[] {
  return table(
    ['metric', 'unit', 'from', 'mind'],
    rows.map(({ quantity: { name, unit, readOnlyReason }, from, remark }) => {
      const readOnly = readOnlyReason === undefined ? undefined : `read only: ${readOnlyReason}`;
      return [name, unit, from, [remark, readOnly].filter((text) => text !== undefined).join('; ')];
    }),
  );
}

function settingTable(rows: readonly DescribedQuantity[]): readonly string[] {
  return table(
    ['setting', 'takes', 'from', 'mind'],
    rows.map(({ quantity, from, remark = '' }) => [quantity.name, takes(quantity), from, remark]),
  );
}

/** More options than these are abbreviated to the first and the last. */
const MAX_OPTIONS = 16;

function takes({ setting, unit }: Quantity): string {
  switch (setting?.kind) {
    case 'number':
      return `${setting.min} to ${setting.max}${unit === '' ? '' : ` ${unit}`}, in steps of ${setting.step}`;
    case 'switch':
      return `${setting.on}, ${setting.off}`;
    case 'select': {
      const { options } = setting;
      if (options.length <= MAX_OPTIONS) return options.join(', ');
      return `${options.slice(0, 2).join(', ')} … ${options.at(-1)} (${options.length} options)`;
    }
    default:
      return '';
  }
}

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  // A column that is empty in every row is left out.
  const used = titles.map((_title, index) => rows.some((row) => (row[index] ?? '') !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_cell, index) => used[index])
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)];
}

function code(text: string): string {
  return `\`${text}\``;
}
