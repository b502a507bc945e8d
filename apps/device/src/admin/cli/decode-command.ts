import { messageOf } from '@heliograph/kit';
import { parseArguments, printableJson, UsageError } from '@heliograph/kit/terminal';
import {
  type DefinitionRow,
  defineMetric,
  definitionRow,
  type MetricValue,
  UNIT_KINDS,
  type UnitKind,
} from '@heliograph/metrics';
import type { DecodedUnit, DriverFamily } from '../../drivers/driver.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { withoutNoise } from '../../drivers/precision.ts';
import { BadProfile, loadProfile } from '../../drivers/profiles/profile-family.ts';
import { BadRecording } from '../../drivers/recording.ts';
import { computeTotals } from '../../poll/totals/totals.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import { type AnyRecording, readRecording } from './recording-file.ts';

type Families = ReadonlyMap<string, DriverFamily>;

export const decodeCommand: DeviceCommand = {
  name: 'decode',
  summary: 'tell what a recording of hardware says',
  help: `heliograph device decode [--driver NAME | --profile YAML] FILE...

Decodes recordings of what inverters and batteries said, and prints the metrics in them as one JSON array. "-" reads
one from standard input. docs/recordings.md describes the format.

  --driver NAME   decode with this driver, instead of the one that the recording's protocol is of
  --profile YAML  decode with this profile (docs/profiles.md)

Where several drivers speak the recording's protocol, the recording's "variant" names one; else the one counts that
finds the most in it, and its name is on standard error. Values that cannot be are left out, and named there, too.

What must be rejected, such as a frame with a wrong checksum, prints nothing; the reason is on standard error, and the
exit code is 1.`,

  async run(args, world) {
    const { values, positionals: files } = parseArguments(args, {
      driver: { type: 'string' },
      profile: { type: 'string' },
    });
    if (files.length === 0) throw new UsageError('<file> is missing');
    const families = await loadFamilies();
    if (values.driver !== undefined && values.profile !== undefined) {
      throw new UsageError('--driver and --profile exclude each other');
    }
    const profile = values.profile === undefined ? undefined : await profileFrom(values.profile);
    const driver = values.driver === undefined ? profile : families.get(values.driver);
    if (values.driver !== undefined && driver === undefined) {
      throw new UsageError(
        `There is no driver "${values.driver}"; there is ${[...families.keys()].join(', ')}`,
      );
    }
    const units: DecodedUnit[] = [];
    const failures: string[] = [];
    for (const file of files) {
      try {
        units.push(...(await decodeFile(file, driver, families, world)));
      } catch (error) {
        failures.push(`${file}: ${reasonOf(error)}`);
      }
    }
    if (failures.length > 0) throw new CommandFailed(failures.join('\n'));
    const rows = metricRows(units);
    world.print(printableJson(rows));
    if (rows.length === 0) world.warn('heliograph device decode: nothing that was recorded is a metric');
  },
};

async function decodeFile(
  file: string,
  driver: DriverFamily | undefined,
  all: Families,
  world: World,
): Promise<readonly DecodedUnit[]> {
  const recording = await readRecording(file, () => world.readInput());
  const { protocol, variant } = recording;
  if (driver !== undefined) return decodedBy(driver, recording, world);
  const families = familiesFor(protocol, variant, all);
  const tried = families.map((family) => attempt(family, recording));
  const found = tried.filter((one) => 'units' in one);
  const best = found.toSorted((one, other) => countOf(other.units) - countOf(one.units))[0];
  if (best === undefined) throw tried.find((one) => 'error' in one)?.error;
  if (families.length > 1) world.warn(`${file}: decoded as ${best.family.name}`);
  return reported(best.units, world);
}

function decodedBy(family: DriverFamily, recording: AnyRecording, world: World): readonly DecodedUnit[] {
  const { protocol = family.protocols[0] ?? family.name } = recording;
  return reported(family.decode({ ...recording, protocol }), world);
}

type Attempt =
  | { readonly family: DriverFamily; readonly units: readonly DecodedUnit[] }
  | { readonly family: DriverFamily; readonly error: unknown };

function attempt(family: DriverFamily, recording: AnyRecording): Attempt {
  try {
    return { family, units: family.decode({ ...recording, protocol: recording.protocol ?? family.name }) };
  } catch (error) {
    return { family, error };
  }
}

function countOf(units: readonly DecodedUnit[]): number {
  return units.reduce((count, { reading }) => count + reading.size, 0);
}

/** Names on standard error what is withheld. */
function reported(units: readonly DecodedUnit[], world: World): readonly DecodedUnit[] {
  for (const { model, quantities, assumedVariant, withheld = [] } of units) {
    if (assumedVariant !== undefined) {
      world.warn(
        `heliograph device decode: ${model} is assumed to be ${assumedVariant}; "variant" in the recording names another`,
      );
    }
    for (const { name, value } of withheld) {
      const unit = quantities.find((quantity) => quantity.name === name)?.unit ?? '';
      world.warn(`heliograph device decode: ${name} cannot be ${value} ${unit}`.trimEnd());
    }
  }
  return units;
}

async function profileFrom(file: string): Promise<DriverFamily> {
  try {
    return await loadProfile(file);
  } catch (error) {
    throw new CommandFailed(error instanceof BadProfile ? error.message : `${file}: ${reasonOf(error)}`);
  }
}

/** @throws BadRecording when no driver speaks the protocol, or none of these is the variant */
function familiesFor(
  protocol: string | undefined,
  variant: string | undefined,
  all: Families,
): readonly DriverFamily[] {
  if (protocol === undefined)
    throw new BadRecording('it names no "protocol"; --driver names the driver to use');
  const found = [...all.values()].filter(({ protocols }) => protocols.includes(protocol));
  if (found.length === 0) {
    const known = [...all.values()].flatMap(({ protocols }) => protocols);
    throw new BadRecording(`no driver speaks "${protocol}"; what they speak: ${known.join(', ')}`);
  }
  const chosen = variant === undefined ? [] : found.filter(({ name }) => name === variant);
  return chosen.length > 0 ? chosen : found;
}

/** A missing file explains itself in the system's words; anything unforeseen is no fault of the recording. */
function reasonOf(error: unknown): string {
  if (error instanceof BadRecording) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'there is no such file';
  return messageOf(error);
}

/** A metric as a read of a device returns it, less when it was read. */
export type DecodedRow = DefinitionRow & { readonly value: MetricValue };

/**
 * The rows of a read: the totals, then the units by kind. Units are numbered as they come. Values
 * are as exact as they were recorded, where a device rounds them.
 */
function metricRows(units: readonly DecodedUnit[]): readonly DecodedRow[] {
  const readAt = { readAt: 0, readAtMonotonic: 0 };
  const totals = computeTotals(
    units.map(({ kind, reading }) => ({
      kind,
      values: new Map([...reading].map(([name, value]) => [name, { value, ...readAt }])),
    })),
  );
  return [
    ...totals.map(({ definition, value }) => ({ ...definitionRow(definition), value })),
    ...UNIT_KINDS.flatMap((kind) => rowsOf(kind, units)),
  ];
}

function rowsOf(kind: UnitKind, units: readonly DecodedUnit[]): readonly DecodedRow[] {
  return units
    .filter((unit) => unit.kind === kind)
    .flatMap(({ quantities, reading }, number) =>
      quantities.map((quantity) => ({
        ...definitionRow(defineMetric(kind, number, quantity)),
        value: withoutNoise(reading.get(quantity.name) ?? null),
      })),
    );
}
