import { messageOf } from '@heliograph/kit';
import { parseArguments, printableJson, UsageError } from '@heliograph/kit/terminal';
import type { DecodedUnit, DriverFamily } from '../drivers/driver.ts';
import { loadFamilies } from '../drivers/families.ts';
import { BadRecording } from '../drivers/recording.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import { metricRows } from './metric-rows.ts';
import { readRecording } from './recording-file.ts';

type Families = ReadonlyMap<string, DriverFamily>;

export const decodeCommand: DeviceCommand = {
  name: 'decode',
  summary: 'tell what a recording of hardware says',
  help: `heliograph device decode [--driver NAME] FILE...

Decodes recordings of what inverters and batteries said, and prints the metrics in them as one JSON array. "-" reads
one from standard input. docs/recordings.md describes the format.

  --driver NAME  decode with this driver, instead of the one that the recording's protocol is of

What must be rejected, such as a frame with a wrong checksum, prints nothing; the reason is on standard error, and the
exit code is 1.`,

  async run(args, world) {
    const { values, positionals: files } = parseArguments(args, { driver: { type: 'string' } });
    if (files.length === 0) throw new UsageError('<file> is missing');
    const families = await loadFamilies();
    const driver = values.driver === undefined ? undefined : families.get(values.driver);
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
    world.print(printableJson(metricRows(units)));
    if (units.length === 0) world.warn('heliograph device decode: nothing that was recorded is a metric');
  },
};

async function decodeFile(
  file: string,
  driver: DriverFamily | undefined,
  families: Families,
  world: World,
): Promise<readonly DecodedUnit[]> {
  const recording = await readRecording(file, () => world.readInput());
  const { protocol } = recording;
  const family = driver ?? familyFor(protocol, families);
  return family.decode({ ...recording, protocol: protocol ?? family.protocols[0] ?? family.name });
}

function familyFor(protocol: string | undefined, families: Families): DriverFamily {
  if (protocol === undefined)
    throw new BadRecording('it names no "protocol"; --driver tells which driver to use');
  const found = [...families.values()].find(({ protocols }) => protocols.includes(protocol));
  if (found !== undefined) return found;
  const known = [...families.values()].flatMap(({ protocols }) => protocols);
  throw new BadRecording(`no driver speaks "${protocol}"; what they speak: ${known.join(', ')}`);
}

/** A missing file explains itself in the system's words; anything unforeseen is no fault of the recording. */
function reasonOf(error: unknown): string {
  if (error instanceof BadRecording) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'there is no such file';
  return messageOf(error);
}
