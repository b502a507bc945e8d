import { table } from '@heliograph/kit/terminal';
import { stringify } from 'yaml';
import { canonicalAddress } from '../../bus/address.ts';
import type { ConnectionEntry } from '../../config/config-file.ts';
import type { Unit } from '../../drivers/driver.ts';
import type { Finding } from './probe-bus.ts';

const KINDS: Readonly<Record<Unit['kind'], string>> = { inverters: 'inverter', batteries: 'battery' };

/** What was found, as `--json` prints it. */
export function findingRow(finding: Finding) {
  const units = finding.hardware.units.map(({ kind, model }) => ({ kind, model }));
  return { ...connectionEntry(finding), units };
}

/** What was found, for people: a table, then the lines to put into the configuration file. */
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

/** How the configuration says it; a line that is set as is usual for the family need not be told. */
function connectionEntry({ family, address, target: { unit, options } }: Finding): ConnectionEntry {
  const isUsual =
    'baudRate' in address &&
    address.baudRate === family.line.baudRate &&
    address.parity === family.line.parity &&
    address.stopBits === family.line.stopBits;
  const shown = isUsual && 'path' in address ? { transport: address.transport, path: address.path } : address;
  return {
    driver: family.name,
    bus: canonicalAddress(shown),
    ...(unit === undefined ? {} : { unit }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}
