import { Type } from 'typebox';
import { type HttpLogin, HttpRefusal, type JsonBus } from '../../bus/json-bus.ts';
import { type Hardware, type JsonFamily, NotRecognised, type Target } from '../driver.ts';
import { decode, PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import type { Answer } from './fields.ts';
import { type FoundMeter, ShellyHardware } from './hardware.ts';
import { IDENTITY_PATH, identityOf, type ShellyIdentity } from './identity.ts';
import { emeters, rpcMeters, type ShellyMeter } from './meters.ts';

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
