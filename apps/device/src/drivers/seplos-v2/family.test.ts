import { describe, expect, it } from 'vitest';
import { recordedBattery } from '../../../test/drivers/ascii-frame/recorded-battery.ts';
import {
  closeLinesAfterTests,
  describeBatteryLine,
  readingOf,
  serverTo,
} from '../../../test/drivers/battery-line.ts';
import { capturesIn } from '../../../test/drivers/captures.ts';
import { encodeFrame } from '../ascii-frame/frame.ts';
import { NotRecognised } from '../driver.ts';
import { COMMAND, VERSION } from './commands.ts';
import { seplosV2Family } from './family.ts';

closeLinesAfterTests();

const ADDRESS = 0;
const TARGET = { unit: undefined, options: {} };
const family = seplosV2Family(400);

const TELEMETRY = capturesIn(import.meta.dirname).find(({ id }) => id === 'seplos_v2_16s_discharging');

/** A cell above its limit, discharging with both switches closed. */
const ALARMS = Buffer.from(
  encodeFrame({
    version: VERSION,
    address: ADDRESS,
    code: 0,
    info: Uint8Array.of(
      0,
      1,
      2,
      0,
      2,
      1,
      0,
      0,
      0,
      20,
      ...[0, 1, 0, 0, 0, 0],
      3,
      0,
      0,
      1,
      ...new Uint8Array(10),
    ),
  }),
).toString('latin1');

const battery = (answers: readonly (readonly [number, string])[]) =>
  recordedBattery({ version: VERSION, address: ADDRESS, answers: new Map(answers) });
const telemetry = [COMMAND.telemetry.code, TELEMETRY?.response?.ascii ?? ''] as const;

describeBatteryLine('A Seplos V2 battery', {
  family,
  target: TARGET,
  battery: battery([telemetry, [COMMAND.alarms.code, ALARMS]]),
  expected: {
    Voltage: 52.8,
    Current: -6.76,
    Power: -357,
    'State of charge': 79,
    Capacity: 180,
    Alarms: 'Cell 2 above its upper limit, Cell over voltage warning',
    'Charge state': 'Discharging',
    'Charge MOSFET': 'On',
  },
  foreign: encodeFrame({ version: VERSION, address: 3, code: 0, info: Uint8Array.of(0, 1) }),
  isRead: (request) => /^~20004642E00201|^~20004644E00201/.test(request.toString('latin1')),
});

describe.concurrent('seplosV2Family', () => {
  it('a battery that knows no alarms is read without them', async () => {
    const reading = await readingOf(await family.open(await serverTo(battery([telemetry]), family), TARGET));
    expect(reading).toMatchObject({ Voltage: 52.8 });
    expect(reading).not.toHaveProperty('Alarms');
  });

  it('a battery that refuses its values is not recognised', async () => {
    await expect(family.open(await serverTo(battery([]), family), TARGET)).rejects.toThrow(NotRecognised);
  });
});
