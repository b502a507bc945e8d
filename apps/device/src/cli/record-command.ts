import { writeFile } from 'node:fs/promises';
import { systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import type { BusFrame } from '../bus/bus.ts';
import { openByteBus, openModbusBus } from '../bus/open-bus.ts';
import type { DriverFamily, Hardware, Target } from '../drivers/driver.ts';
import { RecordingBus } from '../drivers/modbus/recording-bus.ts';
import { loadProfile } from '../drivers/profiles/profile-family.ts';
import { BadRecording, type RecordedExchange, type Recording } from '../drivers/recording.ts';
import { loadFamilies } from '../families/families.ts';
import { busOption, unitOption } from './bus-options.ts';
import { CommandFailed, type DeviceCommand } from './command.ts';

export const recordCommand: DeviceCommand = {
  name: 'record',
  summary: 'record what hardware answers, for a test or an issue',
  help: `heliograph device record --driver NAME --bus URL [OPTIONS] FILE
heliograph device record --profile YAML --bus URL [OPTIONS] FILE

Connects as a device does, reads everything once and writes the requests and answers to FILE, as docs/recordings.md
describes it. Nothing is written to the hardware. Stop the device before: hardware may answer one program at a time.

  --unit NUMBER   the unit (slave) id or address, where it is not the usual one
  --mask          replace serial numbers by X; for Modbus

The exit code is 1 when the hardware does not answer, or is of another kind.`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      driver: { type: 'string' },
      profile: { type: 'string' },
      bus: { type: 'string' },
      unit: { type: 'string' },
      mask: { type: 'boolean', default: false },
    });
    const [file = ''] = positionals;
    expectArguments(positionals, ['file']);
    const family = await familyOf(values.driver, values.profile);
    const address = busOption(values.bus);
    if (values.mask && family.speaks === 'bytes') {
      throw new UsageError(`--mask: frames of ${family.name} cannot be masked`);
    }
    const target: Target = { unit: unitOption(values.unit), options: {} };
    const { exchanges, hardware } =
      family.speaks === 'modbus'
        ? await recordModbus(
            family,
            new RecordingBus(openModbusBus(address, family.line, systemClock)),
            target,
            values.mask,
          )
        : await recordFrames(family, openByteBus(address, family.line, systemClock), target);
    const { recording, count } = decodable(family, {
      variant: family.name,
      device: hardware.units.map(({ model }) => model ?? family.title).join(', '),
      transport: address.transport,
      exchanges,
    });
    await writeFile(file, `${JSON.stringify(recording, null, 2)}\n`, { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new CommandFailed(
          `${file}: ${error.code === 'EEXIST' ? 'there is such a file already' : error.message}`,
        );
      },
    );
    world.print(`${file} has ${exchanges.length} exchanges, which decode to ${count} values`);
    if (!values.mask) world.warn('heliograph device record: it may contain serial numbers');
  },
};

/**
 * The recording with the protocol that it is in, of those of the family, and how many values it decodes to.
 *
 * @throws BadRecording when it is in none of them
 */
function decodable(
  family: DriverFamily,
  recorded: Omit<Recording, 'protocol'>,
): { readonly recording: Recording; readonly count: number } {
  const [first = family.name, ...others] = family.protocols;
  const decoded = (protocol: string) => {
    const recording = { protocol, ...recorded };
    const count = family.decode(recording).reduce((sum, { reading }) => sum + reading.size, 0);
    return { recording, count };
  };
  try {
    return decoded(first);
  } catch (error) {
    const next = others.find((protocol) => isDecodable(() => decoded(protocol)));
    if (!(error instanceof BadRecording) || next === undefined) throw error;
    return decoded(next);
  }
}

function isDecodable(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof BadRecording) return false;
    throw error;
  }
}

interface Recorded {
  readonly exchanges: readonly RecordedExchange[];
  readonly hardware: Hardware;
}

async function recordModbus(
  family: Extract<DriverFamily, { readonly speaks: 'modbus' }>,
  bus: RecordingBus,
  target: Target,
  mask: boolean,
): Promise<Recorded> {
  try {
    const hardware = await family.open(bus, target);
    const readings = await hardware.poll();
    const serials = readings.map((reading) => reading.get('Serial number'));
    const secrets = serials.map((serial) => String(serial ?? '')).filter((serial) => serial !== '');
    return { exchanges: bus.recorded(mask ? secrets : []), hardware };
  } catch (error) {
    throw failure(error);
  } finally {
    await bus.close();
  }
}

async function recordFrames(
  family: Extract<DriverFamily, { readonly speaks: 'bytes' }>,
  bus: ReturnType<typeof openByteBus>,
  target: Target,
): Promise<Recorded> {
  try {
    const hardware = await family.open(bus, target);
    const opened = [...bus.traffic.lastFrames];
    await hardware.poll();
    const frames = [...new Set([...opened, ...bus.traffic.lastFrames])];
    return { exchanges: exchangesOf(frames), hardware };
  } catch (error) {
    throw failure(error);
  } finally {
    await bus.close();
  }
}

/** Each frame that was received, with the request before it; hardware that speaks unasked has none. */
function exchangesOf(frames: readonly BusFrame[]): readonly RecordedExchange[] {
  return frames.flatMap(({ direction, bytes }, index) => {
    if (direction === 'sent') return [];
    const before = frames[index - 1];
    const response_hex = Buffer.from(bytes).toString('hex');
    if (before?.direction !== 'sent') return [{ response_hex }];
    return [{ request_hex: Buffer.from(before.bytes).toString('hex'), response_hex }];
  });
}

async function familyOf(driver: string | undefined, profile: string | undefined): Promise<DriverFamily> {
  if ((driver === undefined) === (profile === undefined)) {
    throw new UsageError('type either --driver or --profile');
  }
  if (profile !== undefined) return loadProfile(profile);
  const families = await loadFamilies();
  const family = families.get(driver ?? '');
  if (family !== undefined) return family;
  throw new UsageError(`There is no driver "${driver}"; there is ${[...families.keys()].join(', ')}`);
}

function failure(error: unknown): Error {
  return error instanceof Error ? new CommandFailed(error.message) : new CommandFailed(String(error));
}
