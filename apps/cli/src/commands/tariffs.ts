import { readFile } from 'node:fs/promises';
import { listTariffs, setTariffs, type TariffList, type TariffListBody } from '@heliograph/client';
import { parseArguments, printable, printableJson, UsageError } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

export const tariffs: Command = {
  name: 'tariffs',
  summary: 'show or set the prices of energy',
  help: `heliograph tariffs SITE [--set FILE] [--reprice] [--json]
heliograph tariffs --device HOST[:PORT] [--set FILE] [--reprice] [--json]

Shows the prices by which the costs of energy are computed. With a file, sets them: the list that --json prints, changed.
New prices are another tariff with a later first day; what days that are over cost does not change.

  --set FILE      a JSON file with "tariffs", or - for standard input
  --reprice  prices of days that are over may change
  --json          print JSON
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      set: { type: 'string' },
      reprice: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      ...DEVICE_OPTIONS,
    });
    const { device } = await openTarget(values, positionals, []);
    const found =
      values.set === undefined
        ? await listTariffs(device)
        : await setTariffs(device, {
            tariffs: (await tariffsIn(values.set)).tariffs,
            reprice: values.reprice,
          });
    if (values.json) terminal.print(printableJson(found));
    else for (const line of linesOf(found)) terminal.print(printable(line));
    return 0;
  },
};

/** The device validates what is in the list. @throws UsageError */
async function tariffsIn(file: string): Promise<Pick<TariffListBody, 'tariffs'>> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'tariffs' in parsed && Array.isArray(parsed.tariffs))
      return { tariffs: parsed.tariffs };
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file} is no JSON with "tariffs"`);
}

function linesOf({ tariffs: known }: TariffList): readonly string[] {
  if (known.length === 0) return ['No prices are known.'];
  return known.map(
    ({ valid_from: from, name, currency, import: bands, export: earned, net_metering: net }) => {
      const prices = bands
        .map((band) => `${band.name === undefined ? '' : `${band.name} `}${band.price}`)
        .join(', ');
      const exported = earned.map(({ price }) => price).join(', ');
      const settled = net ? `, net metering by the ${net.settled ?? 'month'}` : '';
      return `from ${from}: import ${prices}, export ${exported} ${currency}${settled}${name === undefined ? '' : ` (${name})`}`;
    },
  );
}
