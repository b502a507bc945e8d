import { dirname } from 'node:path';
import { systemClock } from '@heliograph/kit';
import {
  expectArguments,
  parseArguments,
  printable,
  printableJson,
  table,
  UsageError,
} from '@heliograph/kit/terminal';
import { UNIT_NAMES } from '@heliograph/metrics';
import { stringify } from 'yaml';
import { type BusAddress, canonicalAddress } from '../../bus/address.ts';
import type { DriverFamily } from '../../drivers/driver.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { addFindings } from '../probe/add-findings.ts';
import { attemptsAt } from '../probe/attempts.ts';
import { connectionEntry } from '../probe/connection-entry.ts';
import { distinctFindings } from '../probe/distinct-findings.ts';
import { ownPorts } from '../probe/ports.ts';
import { type Finding, probeBus } from '../probe/probe-bus.ts';
import { asOwnerOf } from './as-owner.ts';
import { busOption, unitOption } from './bus-options.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import { chosenConfigFile } from './device-data.ts';

export const probeCommand: DeviceCommand = {
  name: 'probe',
  summary: 'find the hardware that answers on a bus',
  help: `heliograph device probe [--bus URL]... [--driver NAME]... [--unit N] [--add | --yaml | --json]

Tries the drivers, their usual units and baud rates, and prints what answers, with model and serial number and the
lines for the configuration file. Hardware that is found in several ways is listed once. It reads alone and changes nothing. Stop the device first: a port can be used by one program at a time.

  --bus URL      where to look, such as modbus-tcp://192.168.1.20:502; may be repeated. On a serial port
                 modbus-rtu:///dev/ttyUSB0 finds what speaks Modbus, serial:///dev/ttyUSB0 everything else;
                 http://192.168.1.30 finds a Shelly
                 (default: every USB serial port, in both ways, and every HID device of this machine)
  --driver NAME  try this driver alone; may be repeated. Some batteries (JK-PB) are looked for only with one driver
                 named: what asks them for their values looks like a write to other hardware
  --unit N       try this unit (slave id, address) alone, with more patience: for gateways that keep silent for a second
                  or more about a unit that is not there
  --add          add what is found to the configuration file: DEVICE_CONFIG, or device.yaml in the folder DEVICE_DATA.
                 Hardware that it has already stays as it is there; comments stay. A file that could not be used is not
                 written
  --yaml         print the lines for the configuration file alone
  --json         print JSON`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      bus: { type: 'string', multiple: true, default: [] },
      driver: { type: 'string', multiple: true, default: [] },
      unit: { type: 'string' },
      add: { type: 'boolean', default: false },
      yaml: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    expectArguments(positionals, []);
    if ([values.add, values.yaml, values.json].filter(Boolean).length > 1)
      throw new UsageError('--add, --yaml and --json exclude each other');
    const file = values.add ? chosenConfigFile(undefined, world) : undefined;
    const unit = unitOption(values.unit);
    const families = await chosenFamilies(values.driver);
    const addresses = values.bus.length === 0 ? await ownPorts() : values.bus.map(busOption);
    if (addresses.length === 0) {
      throw new CommandFailed(
        'this machine has no USB serial port and no HID device; --bus tells where to look',
      );
    }
    const findings = await probeAll(addresses, families, unit, world);
    if (values.json) world.print(printableJson(findings.map(findingRow)));
    else if (findings.length > 0 && file !== undefined) await add(file, findings, world);
    else if (findings.length > 0 && values.yaml) world.print(configLines(findings).map(printable).join('\n'));
    else if (findings.length > 0) world.print(findingLines(findings).map(printable).join('\n'));
    if (findings.length === 0) throw new CommandFailed('nothing that is known here answered');
  },
};

async function add(file: string, findings: readonly Finding[], world: World): Promise<void> {
  const added = await asOwnerOf(dirname(file), () => addFindings(file, findings));
  for (const { entry, isNew } of added) {
    const unit = entry.unit === undefined ? '' : `, unit ${entry.unit}`;
    const outcome = isNew ? `added to ${file}` : `${file} has it already`;
    world.print(printable(`${entry.driver} at ${entry.bus}${unit}: ${outcome}`));
  }
}

async function probeAll(
  addresses: readonly BusAddress[],
  families: readonly DriverFamily[],
  unit: number | undefined,
  world: World,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const address of addresses) {
    const name = canonicalAddress(address);
    const attempts = attemptsAt(address, families, unit);
    if (attempts.length === 0) {
      world.warn(`${name}: none of the drivers is connected like this`);
      continue;
    }
    world.warn(`${name}: looking for ${[...new Set(attempts.map(({ family }) => family.name))].join(', ')}`);
    const report = await probeBus(attempts, systemClock);
    findings.push(...report.findings);
    if (report.findings.length === 0) for (const note of report.notes) world.warn(`  ${printable(note)}`);
  }
  return distinctFindings(findings);
}

async function chosenFamilies(names: readonly string[]): Promise<readonly DriverFamily[]> {
  const families = await loadFamilies();
  if (names.length === 0) return [...families.values()];
  return names.map((name) => {
    const family = families.get(name);
    if (family !== undefined) return family;
    throw new UsageError(`There is no driver "${name}"; there is ${[...families.keys()].join(', ')}`);
  });
}

/** A finding, as `--json` prints it. */
function findingRow(finding: Finding) {
  const units = finding.hardware.units.map(({ kind, model }, index) => ({
    kind,
    model,
    serial_number: finding.serialNumbers[index] ?? null,
  }));
  return { ...connectionEntry(finding), units };
}

/** Findings for people: a table, then the lines to put into the configuration file. */
function findingLines(findings: readonly Finding[]): readonly string[] {
  const rows = findings.map((finding) => {
    const { driver, bus, unit } = connectionEntry(finding);
    const hardware = finding.hardware.units.map(({ kind, model }, index) =>
      [UNIT_NAMES[kind], model, finding.serialNumbers[index]].filter(Boolean).join(' '),
    );
    return [driver, bus, unit === undefined ? '-' : String(unit), hardware.join(', ')];
  });
  const columns = ['DRIVER', 'BUS', 'UNIT', 'HARDWARE'].map((title) => ({ title }));
  return [
    ...table(columns, rows),
    '',
    'To connect it, put this into device.yaml:',
    '',
    ...configLines(findings),
    ...(findings.some(isMeter)
      ? [
          '',
          'A meter measures for the totals of the home where its connection has a role, such as "role: grid".',
        ]
      : []),
  ];
}

function isMeter({ hardware }: Finding): boolean {
  return hardware.units.some(({ kind }) => kind === 'meters');
}

function configLines(findings: readonly Finding[]): readonly string[] {
  return stringify({ connections: findings.map(connectionEntry) }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}
