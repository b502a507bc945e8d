import { writeFile } from 'node:fs/promises';
import { systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import type { BusAddress } from '../bus/address.ts';
import type { BusFrame } from '../bus/bus.ts';
import type { JsonBus } from '../bus/json-bus.ts';
import { openByteBus, openJsonBus, openModbusBus } from '../bus/open-bus.ts';
import type { DriverFamily, Hardware, Target } from '../drivers/driver.ts';
import { RecordingBus } from '../drivers/modbus/recording-bus.ts';
import { loadProfile } from '../drivers/profiles/profile-family.ts';
import type { RecordedExchange } from '../drivers/recording.ts';
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
    if (values.mask && family.speaks !== 'modbus') {
      throw new UsageError(`--mask: frames of ${family.name} cannot be masked`);
    }
    const target: Target = { unit: unitOption(values.unit), options: {} };
    const { exchanges, hardware } = await record(family, address, target, values.mask);
    const [protocol = family.name] = family.protocols;
    const recording = {
      protocol,
      variant: family.name,
      device: hardware.units.map(({ model }) => model ?? family.title).join(', '),
      transport: address.transport,
      exchanges,
    };
    const count = family.decode(recording).reduce((sum, { reading }) => sum + reading.size, 0);
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

interface Recorded {
  readonly exchanges: readonly RecordedExchange[];
  readonly hardware: Hardware;
}

function record(family: DriverFamily, address: BusAddress, target: Target, mask: boolean): Promise<Recorded> {
  switch (family.speaks) {
    case 'modbus': {
      const bus = openModbusBus(address, family.line, systemClock);
      return recordModbus(family, new RecordingBus(bus), target, mask);
    }
    case 'bytes':
      return recordFrames(family, openByteBus(address, family.line, systemClock), target);
    case 'json':
      return recordJson(family, openJsonBus(address, systemClock), target);
  }
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
    const secrets = serials.filter((serial) => typeof serial === 'string' && serial !== '') as string[];
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

/** The last answer to each path. */
async function recordJson(
  family: Extract<DriverFamily, { readonly speaks: 'json' }>,
  bus: JsonBus,
  target: Target,
): Promise<Recorded> {
  const answers = new Map<string, unknown>();
  const recording: JsonBus = {
    name: bus.name,
    traffic: bus.traffic,
    roundTripMs: bus.roundTripMs,
    async get(path, login) {
      const answer = await bus.get(path, login);
      answers.set(path, answer);
      return answer;
    },
    close: () => bus.close(),
  };
  try {
    const hardware = await family.open(recording, target);
    await hardware.poll();
    const exchanges = [...answers].map(([path, answer]) => ({
      request: path,
      response: JSON.stringify(answer),
    }));
    return { exchanges, hardware };
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
