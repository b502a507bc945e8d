import { readFile } from 'node:fs/promises';
import {
  type Alert,
  type AlertRuleList,
  acknowledgeAlert,
  listAlertRules,
  listAlerts,
  setAlertRules,
} from '@heliograph/client';
import {
  type Column,
  parseArguments,
  printable,
  printableJson,
  table,
  UsageError,
} from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import { ageLabel } from '../terminal/age.ts';
import type { Command } from '../terminal/command.ts';

const ALERT_COLUMNS: readonly Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'STATE' },
  { title: 'SEVERITY' },
  { title: 'SINCE' },
  { title: 'ALERT' },
];

const RULE_COLUMNS: readonly Column[] = [
  { title: 'RULE' },
  { title: 'SEVERITY' },
  { title: 'CONDITION' },
  { title: 'TOPICS' },
];

export const alerts: Command = {
  name: 'alerts',
  summary: 'show what is wrong at a site, and the rules that notice it',
  help: `heliograph alerts SITE [--all] [--acknowledge ID] [--json]
heliograph alerts SITE --rules [--set FILE] [--json]
heliograph alerts --device HOST[:PORT] …

Shows the alerts that have not cleared, newest first. With --rules shows the rules that raise them, and with a file sets
those of the owner: the list that --rules --json prints, changed.

  --all               show alerts that have cleared as well
  --acknowledge ID    let others know that you know of an alert
  --rules             show the rules
  --set FILE          a JSON file with "rules", or - for standard input; those it leaves out are as delivered
  --json              print JSON
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      all: { type: 'boolean', default: false },
      acknowledge: { type: 'string' },
      rules: { type: 'boolean', default: false },
      set: { type: 'string' },
      json: { type: 'boolean', default: false },
      ...DEVICE_OPTIONS,
    });
    const { acknowledge } = values;
    if (acknowledge !== undefined && !/^\d{1,15}$/.test(acknowledge))
      throw new UsageError('--acknowledge needs the id of an alert');
    if (values.set !== undefined && !values.rules) throw new UsageError('--set goes with --rules');
    const { device } = await openTarget(values, positionals, []);
    if (values.rules) {
      const found =
        values.set === undefined
          ? await listAlertRules(device)
          : await setAlertRules(device, { rules: await rulesIn(values.set) });
      const lines = values.json ? [printableJson(found)] : ruleLines(found);
      for (const line of lines) terminal.print(line);
      return 0;
    }
    const found =
      acknowledge === undefined
        ? await listAlerts(device, { open: !values.all, limit: 200 })
        : [await acknowledgeAlert(device, Number(acknowledge))];
    const lines = values.json ? [printableJson(found)] : alertLines(found, Date.now());
    for (const line of lines) terminal.print(line);
    return 0;
  },
};

/** The device validates what is in the list. @throws UsageError */
async function rulesIn(file: string): Promise<Parameters<typeof setAlertRules>[1]['rules']> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'rules' in parsed && Array.isArray(parsed.rules)) {
      // Further fields of the list, such as explanations, are not set.
      return parsed.rules.map(({ id, name = null, enabled, severity, condition }) => ({
        id,
        name,
        enabled,
        severity,
        condition,
      }));
    }
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file} is no JSON with "rules"`);
}

function alertLines(alerts: readonly Alert[], nowMs: number): readonly string[] {
  if (alerts.length === 0) return ['Nothing is wrong.'];
  const rows = alerts.map(({ id, state, severity, since, text }) => [
    String(id),
    state,
    severity,
    ageLabel(nowMs - Date.parse(since)),
    printable(text),
  ]);
  return table(ALERT_COLUMNS, rows);
}

function ruleLines({ rules, warnings }: AlertRuleList): readonly string[] {
  const rows = rules.map(({ id, enabled, severity, condition: { kind, topics, limit, for_s: seconds } }) => [
    printable(id),
    enabled ? severity : 'off',
    [kind, limit, seconds > 0 && `for ${seconds} s`]
      .filter((part) => part !== undefined && part !== false)
      .join(' '),
    printable(topics.join(', ')),
  ]);
  return [...table(RULE_COLUMNS, rows), ...warnings.map((warning) => printable(warning))];
}
