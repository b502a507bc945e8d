import { writeFile } from 'node:fs/promises';
import { systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import type { BusAddress } from '../../bus/address.ts';
import type { JsonBus } from '../../bus/json/json-bus.ts';
import { openByteBus, openJsonBus, openModbusBus } from '../../bus/open-bus.ts';
import type { ByteFamily, DriverFamily, Hardware, Reading, Target } from '../../drivers/driver.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { RecordingBus } from '../../drivers/modbus/recording-bus.ts';
import { loadProfile } from '../../drivers/profiles/profile-family.ts';
import { BadRecording, type RecordedExchange, type Recording } from '../../drivers/recording.ts';
import { RecordingByteBus } from '../../drivers/recording-byte-bus.ts';
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
  --mask          replace serial numbers by X

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
    if (values.mask && family.speaks === 'bytes' && family.checkedFrame === undefined) {
      throw new UsageError(`--mask: frames of ${family.name} cannot be masked`);
    }
    const target: Target = { unit: unitOption(values.unit), options: {} };
    const { exchanges, hardware, serials } = await record(family, address, target, values.mask);
    const recording = bestRecording(family, {
      variant: family.name,
      device: hardware.units.map(({ model }) => model ?? family.title).join(', '),
      transport: address.transport,
      exchanges,
    });
    const decoded = family.decode(recording);
    const readings = decoded.flatMap(({ reading }) => [...reading.values()]);
    if (values.mask && readings.some((value) => serials.includes(String(value)))) {
      throw new CommandFailed('a serial number could not be masked, so nothing was written');
    }
    const count = readings.length;
    await writeFile(file, `${JSON.stringify(recording, null, 2)}\n`, { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new CommandFailed(
          `${file}: ${error.code === 'EEXIST' ? 'there is such a file already' : error.message}`,
        );
      },
    );
    world.print(`${file} has ${recording.exchanges.length} exchanges, which decode to ${count} values`);
    if (!values.mask) world.warn('heliograph device record: it may contain serial numbers');
  },
};

interface Recorded {
  readonly exchanges: readonly RecordedExchange[];
  readonly hardware: Hardware;
  readonly serials: readonly string[];
}

function record(family: DriverFamily, address: BusAddress, target: Target, mask: boolean): Promise<Recorded> {
  switch (family.speaks) {
    case 'modbus': {
      const bus = openModbusBus(address, family.line, systemClock);
      return recordModbus(family, new RecordingBus(bus), target, mask);
    }
    case 'bytes': {
      const bus = openByteBus(address, family.line, systemClock);
      return recordFrames(family, new RecordingByteBus(bus), target, mask);
    }
    case 'json':
      return recordJson(family, openJsonBus(address, systemClock), target, mask);
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
    const serials = serialsIn(await hardware.poll());
    return { exchanges: bus.recorded(mask ? serials : []), hardware, serials };
  } catch (error) {
    throw failure(error);
  } finally {
    await bus.close();
  }
}

async function recordFrames(
  family: ByteFamily,
  bus: RecordingByteBus,
  target: Target,
  mask: boolean,
): Promise<Recorded> {
  try {
    const hardware = await family.open(bus, target);
    const serials = serialsIn(await hardware.poll());
    const exchanges = bus.recorded.map(({ request, response }): RecordedExchange => {
      const frame = mask ? maskedFrame(response, serials) : response;
      const response_hex = hexOf(family.checkedFrame?.(frame) ?? frame);
      return request === undefined ? { response_hex } : { request_hex: hexOf(request), response_hex };
    });
    return { exchanges, hardware, serials };
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
  mask: boolean,
): Promise<Recorded> {
  const answers = new Map<string, unknown>();
  const recording: JsonBus = {
    name: bus.name,
    traffic: bus.traffic,
    roundTripMs: bus.roundTripMs,
    closesAfterAnswers: bus.closesAfterAnswers,
    async get(path, login) {
      const answer = await bus.get(path, login);
      answers.set(path, answer);
      return answer;
    },
    close: () => bus.close(),
  };
  try {
    const hardware = await family.open(recording, target);
    const serials = serialsIn(await hardware.poll());
    const exchanges = [...answers].map(([path, answer]) => ({
      request: path,
      response: maskedJson(JSON.stringify(answer), mask ? serials : []),
    }));
    return { exchanges, hardware, serials };
  } catch (error) {
    throw failure(error);
  } finally {
    await bus.close();
  }
}

/** Without those of one character, such as 0: they are none, and measurements contain them. */
function serialsIn(readings: readonly Reading[]): readonly string[] {
  const serials = readings.map((reading) => String(reading.get('Serial number') ?? ''));
  return serials.filter((serial) => !/^(.?)\1*$/.test(serial));
}

/** Serial numbers replaced by `X`, as they are or, in frames of hexadecimal digits, as their bytes. */
function maskedFrame(frame: Uint8Array, serials: readonly string[]): Uint8Array {
  let text = Buffer.from(frame).toString('latin1');
  for (const serial of serials) {
    const digits = hexOf(Buffer.from(serial, 'latin1')).toUpperCase();
    text = text.replaceAll(serial, 'X'.repeat(serial.length)).replaceAll(digits, '58'.repeat(serial.length));
  }
  return Buffer.from(text, 'latin1');
}

/** The channel of a device with several meters, behind the number that its answers have. */
const CHANNEL = /-\d+$/;

/** Serial numbers replaced by `X`, in capital letters or not: names of devices contain them. */
function maskedJson(json: string, serials: readonly string[]): string {
  return serials.reduce((text, serial) => {
    const number = serial.replace(CHANNEL, '');
    const pattern = number.replace(/[^0-9A-Za-z]/g, '\\$&');
    return text.replaceAll(new RegExp(pattern, 'gi'), 'X'.repeat(number.length));
  }, json);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

type Exchanges = Recording & Required<Pick<Recording, 'exchanges'>>;

/** The recording in that protocol of the family in which it decodes to the most values. */
function bestRecording(family: DriverFamily, recorded: Omit<Exchanges, 'protocol'>): Exchanges {
  const [protocol = family.name] = family.protocols;
  const candidates = family.protocols.map((name): Exchanges => {
    const recording = { ...recorded, protocol: name };
    if (countIn(family, recording) > 0) return recording;
    // Hardware with two protocols on one port answers some requests in each.
    const exchanges = recorded.exchanges.filter(
      (exchange) => countIn(family, { ...recording, exchanges: [exchange] }) > 0,
    );
    return { ...recording, exchanges };
  });
  const best = candidates.toSorted((one, other) => countIn(family, other) - countIn(family, one))[0];
  return best ?? { ...recorded, protocol };
}

/** How many values a recording decodes to. */
function countIn(family: DriverFamily, recording: Recording): number {
  try {
    return family.decode(recording).reduce((sum, { reading }) => sum + reading.size, 0);
  } catch (error) {
    if (error instanceof BadRecording) return 0;
    throw error;
  }
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
