import type { EnergyAnswer } from '@heliograph/client';
import { BYTE_ORDER_MARK, csvLine, spreadsheetFormat } from '@heliograph/contracts/csv';
import { offsetIn, repeatedTimes } from '@heliograph/contracts/repeated-times';
import { type Column, parseArguments, printableJson, table, UsageError } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { csvLocale } from '../terminal/csv-locale.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Step = EnergyAnswer['step'];
type Amounts = EnergyAnswer['total'];

const STEPS: readonly Step[] = ['hour', 'day', 'week', 'month', 'year'];

/** Of a table: what fits into the width of a terminal. */
const FIELDS = {
  SOLAR: 'pv',
  HOUSE: 'load',
  CHARGED: 'battery_in',
  DISCHARGED: 'battery_out',
  IMPORTED: 'grid_in',
  EXPORTED: 'grid_out',
} as const satisfies Record<string, keyof Amounts>;

const COLUMNS: readonly Column[] = [
  { title: 'FROM' },
  ...Object.keys(FIELDS).map((title) => ({ title, align: 'right' as const })),
  { title: 'SELF-SUFFICIENT', align: 'right' },
];

export const energy: Command = {
  name: 'energy',
  summary: 'show the energy of hours, days, months or years',
  help: `heliograph energy SITE [--step STEP] [--from TIME] [--to TIME] [--csv [--csv-locale LOCALE] | --json]
heliograph energy --device HOST[:PORT] [--step STEP] [--from TIME] [--to TIME] [--csv [--csv-locale LOCALE] | --json]

Shows the energy of a site in kWh, by the calendar of the site, and its sum; with prices (heliograph tariffs) what it
cost and saved. Where prices begin within a step or the whole time, money is marked *, and for the time since alone.

  --step STEP           ${STEPS.join(', ')} (default day)
  --from TIME           a date such as 2026-11-01, or an ISO 8601 time; by default this month for days, today for
                        hours, this year for months, everything for years
  --to TIME             the end, which does not belong to it (default now)
  --csv                 print all fields as comma-separated values
  --csv-locale LOCALE   print CSV as spreadsheets of a language open it, such as de, en-GB or fr-CH: with a byte order
                        mark, and its separators
  --json                print the answer of the device
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      step: { type: 'string', default: 'day' },
      from: { type: 'string' },
      to: { type: 'string' },
      csv: { type: 'boolean', default: false },
      'csv-locale': { type: 'string' },
      json: { type: 'boolean', default: false },
      ...DEVICE_OPTIONS,
    });
    const step = STEPS.find((name) => name === values.step);
    if (step === undefined) throw new UsageError(`--step must be one of ${STEPS.join(', ')}`);
    if (values.csv && values.json) throw new UsageError('Choose --csv or --json');
    const locale = csvLocale(values['csv-locale']);
    if (locale !== undefined && !values.csv) throw new UsageError('--csv-locale is for --csv');
    const { device } = await openTarget(values, positionals, []);
    const answer = await device.energy({ from: values.from, to: values.to, step });
    if (values.json) terminal.print(printableJson(answer));
    else if (values.csv) for (const line of csv(answer, locale)) terminal.print(line);
    else printTable(answer, terminal);
    return 0;
  },
};

function printTable(answer: EnergyAnswer, terminal: Terminal): void {
  const { steps, step, total, counters, time_zone: zone, currency } = answer;
  const cellsOf = (amounts: Amounts) => [...cells(amounts), ...(currency === null ? [] : money(amounts))];
  const columns = currency === null ? COLUMNS : [...COLUMNS, ...moneyColumns(currency)];
  const repeated = repeatedTimes(steps.map(({ from }) => from));
  const rows = steps.map((each) => {
    const offset = repeated.has(each.from) ? offsetIn(each.from) : '';
    return [shownTime(each.from, step) + offset, ...cellsOf(each)];
  });
  const lines = table(columns, [...rows, ['Sum', ...cellsOf(total)]], {
    title: (text) => terminal.bold(text),
  });
  for (const line of lines) terminal.print(line);
  if (counters !== undefined) printCounters(counters, terminal);
  const beginnings = [...steps, total].flatMap(({ costs_since: since }) => since ?? []);
  for (const since of new Set(beginnings))
    terminal.warn(
      `Money with * is for the time since ${since.slice(0, 10)}: before, there are no prices in ${currency}`,
    );
  if ([...steps, total].some(({ costs_unsettled: isUnsettled }) => isUnsettled === true))
    terminal.warn(
      'Net metering and limits of earnings are settled by whole months: --step month has the bills',
    );
  if (total.coverage < 0.995)
    terminal.warn(`Energy was counted for ${(total.coverage * 100).toFixed(1)} % of this time (${zone})`);
}

/** The counters of the hardware, and how much more or less was counted from power. */
function printCounters(counters: NonNullable<EnergyAnswer['counters']>, terminal: Terminal): void {
  const titles = new Map(Object.entries(FIELDS).map(([title, field]) => [field, title]));
  const rows = counters.map(({ energy, kwh, difference }) => [
    titles.get(energy) ?? energy,
    kwh.toFixed(2),
    difference === null ? '-' : `${difference < 0 ? '' : '+'}${difference.toFixed(2)}`,
  ]);
  const columns = [
    { title: 'HARDWARE COUNTERS' },
    { title: 'KWH', align: 'right' as const },
    { title: 'DIFFERENCE', align: 'right' as const },
  ];
  terminal.print('');
  for (const line of table(columns, rows, { title: (text) => terminal.bold(text) })) terminal.print(line);
}

function cells(amounts: Amounts): readonly string[] {
  const { self_sufficiency: share } = amounts;
  const kwh = Object.values(FIELDS).map((field) => amounts[field]?.toFixed(2) ?? '-');
  return [...kwh, share === null ? '-' : `${(share * 100).toFixed(0)} %`];
}

function moneyColumns(currency: string): readonly Column[] {
  return ['COST', 'SAVED'].map((title) => ({ title: `${title} ${currency}`, align: 'right' }));
}

function money({ net_cost: cost, savings, costs_since: since = null }: Amounts): readonly string[] {
  const mark = since === null ? '' : '*';
  return [cost, savings].map((amount) => (amount === null ? '-' : amount.toFixed(2) + mark));
}

/** As much of `2026-11-22T14:00:00+01:00` as a step needs. */
function shownTime(from: string, step: Step): string {
  const lengths = { hour: 16, day: 10, week: 10, month: 7, year: 4 };
  return from.slice(0, lengths[step]).replace('T', ' ');
}

/** A line of titles, and one for each step. @param locale BCP 47; undefined for programs */
function csv({ steps }: EnergyAnswer, locale: string | undefined): readonly string[] {
  const [first] = steps;
  if (first === undefined) return [];
  const rows = steps.map((step) =>
    Object.values(step).map((cell) => (typeof cell === 'boolean' ? String(cell) : cell)),
  );
  const format = locale === undefined ? undefined : spreadsheetFormat(locale);
  const [titles = '', ...lines] = [Object.keys(first), ...rows].map((cells) => csvLine(cells, format));
  return [(locale === undefined ? '' : BYTE_ORDER_MARK) + titles, ...lines];
}
