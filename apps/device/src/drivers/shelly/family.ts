import { Type } from 'typebox';
import { type HttpLogin, HttpRefusal, type JsonBus } from '../../bus/json/json-bus.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { type DecodedUnit, type Hardware, type JsonFamily, NotRecognised, type Target } from '../driver.ts';
import { quantitiesOf, readingOf } from '../entries.ts';
import { METER } from '../meter-quantities.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { Answer } from './fields.ts';
import {
  EM_DATA_FIELDS,
  EM_FIELDS,
  EM1_DATA_FIELDS,
  EM1_FIELDS,
  EMETER_FIELDS,
  type Field,
  PM_FIELDS,
} from './fields.ts';
import { type FoundMeter, ShellyHardware } from './hardware.ts';
import { IDENTITY_PATH, identityEntries, identityOf, type ShellyIdentity } from './identity.ts';
import { emeters, rpcMeters, type ShellyMeter } from './meters.ts';

/** The value of `protocol` in recordings. */
const PROTOCOL = 'shelly_http';

/** Most channels that a device of the first generation has. */
const MAX_EMETERS = 3;

/** @throws BadRecording */
function decode({ exchanges = [] }: Recording): readonly DecodedUnit[] {
  const answers = new Map(
    exchanges.map(({ request = '', response = '' }) => [request, answerIn(request, response)]),
  );
  const identity = identityOf(answers.get(IDENTITY_PATH) ?? {});
  const channels = Array.from({ length: MAX_EMETERS }, (_, id) => id).filter((id) =>
    answers.has(`/emeter/${id}`),
  );
  return [...emeters(channels.length, undefined), ...rpcMeters(undefined)].flatMap((meter) => {
    const [first, ...others] = meter.paths.map((path) => answers.get(path));
    if (first === undefined) return [];
    const nameplate = identity === undefined ? [] : identityEntries(identity, meter.channel);
    const entries = [...nameplate, ...meter.entries([first, ...others])];
    if (entries.length === nameplate.length) return [];
    return [
      {
        kind: 'meters' as const,
        model: identity?.model ?? null,
        quantities: quantitiesOf(entries),
        reading: readingOf(entries),
      },
    ];
  });
}

function answerIn(request: string, response: string): Answer {
  try {
    return Object(JSON.parse(response));
  } catch (error) {
    throw new BadRecording(`the answer to ${request} is not JSON`, { cause: error });
  }
}

const NAMEPLATE: readonly DescribedQuantity[] = [
  { quantity: METER.modelName, from: '/shelly app, or type' },
  { quantity: METER.serialNumber, from: '/shelly mac', remark: 'and the channel, where the meter is one' },
  { quantity: METER.firmwareVersion, from: '/shelly ver, or fw' },
];

const rows = (path: string, fields: readonly Field[]): readonly DescribedQuantity[] =>
  fields.map(({ quantity, property }) => ({ quantity, from: `${path} ${property}` }));

/** Everything that is read; tables of the folder's page are made of it. */
const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Meter of three phases (Pro 3EM, 3EM of the third generation)',
    rows: [
      ...NAMEPLATE,
      ...rows('EM.GetStatus', EM_FIELDS),
      { quantity: METER.voltage, from: 'worked out', remark: 'the mean of the phases' },
      ...rows('EMData.GetStatus', EM_DATA_FIELDS),
    ],
  },
  {
    title: 'Channel (Pro EM, EM of the third generation, 3EM in the profile monophase)',
    rows: [...NAMEPLATE, ...rows('EM1.GetStatus', EM1_FIELDS), ...rows('EM1Data.GetStatus', EM1_DATA_FIELDS)],
  },
  {
    title: 'Power meter or measuring switch (Plus PM, Plus 1PM, Plus 2PM)',
    rows: [...NAMEPLATE, ...rows('PM1.GetStatus or Switch.GetStatus', PM_FIELDS)],
  },
  {
    title: 'Channel of the first generation (EM, 3EM)',
    rows: [...NAMEPLATE, ...rows('/emeter/N', EMETER_FIELDS)],
  },
];

const UNAUTHORIZED = 401;

/** Later generations have no other user. */
const USERNAME = 'admin';

/** Energy meters of Shelly, of all generations. Nothing is ever written to them. */
export const shelly: JsonFamily = {
  name: 'shelly',
  title: 'Shelly',
  speaks: 'json',
  kinds: ['meters'],
  readsMeters: true,
  options: Type.Object(
    {
      password: Type.Optional(
        Type.String({ minLength: 1, description: 'the password of the device, where it has one' }),
      ),
      username: Type.Optional(
        Type.String({
          minLength: 1,
          pattern: '^[^":]+$',
          default: USERNAME,
          description: 'the user of a device of the first generation',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  describedUnits: DESCRIBED_UNITS,
  protocols: [PROTOCOL],
  decode,
  open,
};

async function open(bus: JsonBus, { unit, options }: Target): Promise<Hardware> {
  const identity = await identify(bus);
  const login = loginOf(identity, options);
  const candidates = identity.generation === 1 ? emeters(identity.emeters, unit) : rpcMeters(unit);
  const found: FoundMeter[] = [];
  for (const meter of candidates) {
    const answers = await answersOf(bus, meter, login);
    if (answers !== undefined && meter.entries(answers).length > 0) found.push({ meter, answers });
  }
  if (found.length === 0) {
    throw new NotRecognised(`${identity.model} has no meter${unit === undefined ? '' : ` ${unit}`}`);
  }
  return new ShellyHardware(bus, login, identity, found);
}

async function identify(bus: JsonBus): Promise<ShellyIdentity> {
  try {
    const identity = identityOf(Object(await bus.get(IDENTITY_PATH)));
    if (identity !== undefined) return identity;
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
  }
  throw new NotRecognised(`${IDENTITY_PATH} is not answered as by a Shelly`);
}

function loginOf({ generation }: ShellyIdentity, options: Target['options']): HttpLogin | undefined {
  const { password, username = USERNAME } = options;
  if (typeof password !== 'string') return undefined;
  return generation === 1
    ? { username: String(username), password, scheme: 'basic' }
    : { username: USERNAME, password, scheme: 'digest' };
}

/** @returns undefined where the device has no such meter @throws NotRecognised without the right password */
async function answersOf(
  bus: JsonBus,
  { paths: [first, ...others] }: ShellyMeter,
  login: HttpLogin | undefined,
): Promise<FoundMeter['answers'] | undefined> {
  const answer = await answerOf(bus, first, login);
  if (answer === undefined) return undefined;
  const more: (Answer | undefined)[] = [];
  for (const path of others) more.push(await answerOf(bus, path, login));
  return [answer, ...more];
}

async function answerOf(
  bus: JsonBus,
  path: string,
  login: HttpLogin | undefined,
): Promise<Answer | undefined> {
  try {
    return Object(await bus.get(path, login));
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    if (error.status !== UNAUTHORIZED) return undefined;
    throw new NotRecognised(
      login === undefined
        ? 'the device has a password: set "password" in the options of its connection'
        : 'the device refuses the password in the options of its connection',
    );
  }
}
