import { table } from '@heliograph/kit/terminal';
import { stringify } from 'yaml';
import type { Unit } from '../drivers/driver.ts';
import { connectionEntry } from '../probe/connection-entry.ts';
import type { Finding } from '../probe/probe-bus.ts';

const KINDS: Readonly<Record<Unit['kind'], string>> = { inverters: 'inverter', batteries: 'battery' };

/** A finding, as `--json` prints it. */
export function findingRow(finding: Finding) {
  const units = finding.hardware.units.map(({ kind, model }) => ({ kind, model }));
  return { ...connectionEntry(finding), units };
}

/** Findings for people: a table, then the lines to put into the configuration file. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const rows = findings.map((finding) => {
    const { driver, bus, unit } = connectionEntry(finding);
    const hardware = finding.hardware.units.map(({ kind, model }) => `${KINDS[kind]} ${model ?? ''}`.trim());
    return [driver, bus, unit === undefined ? '-' : String(unit), hardware.join(', ')];
  });
  const columns = ['DRIVER', 'BUS', 'UNIT', 'HARDWARE'].map((title) => ({ title }));
  return [
    ...table(columns, rows),
    '',
    'To connect it, put this into device.yaml:',
    '',
    ...configLines(findings),
  ];
}

function configLines(findings: readonly Finding[]): readonly string[] {
  return stringify({ connections: findings.map(connectionEntry) }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}
