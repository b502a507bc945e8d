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
import { paceFamily } from './family.ts';

closeLinesAfterTests();

const ADDRESS = 1;
const TARGET = { unit: undefined, options: {} };
const family = paceFamily(400);

/** The recorded frames of real packs, by command. */
const FRAMES = new Map(
  capturesIn(import.meta.dirname)
    .flatMap(({ request, response, exchanges = [] }) => [
      { request: request?.ascii, response: response?.ascii },
      ...exchanges,
    ])
    .flatMap(({ request, response = '' }) =>
      request === undefined ? [] : [[Number.parseInt(request.slice(7, 9), 16), response] as const],
    ),
);
const battery = (codes: readonly number[] = [...FRAMES.keys()]) =>
  recordedBattery({
    version: VERSION,
    address: ADDRESS,
    answers: new Map([...FRAMES].filter(([code]) => codes.includes(code))),
  });

describeBatteryLine('A PACE battery', {
  family,
  target: TARGET,
  battery: battery(),
  expected: {
    Voltage: 52.43,
    Current: -2.25,
    Power: -118,
    'State of charge': 47,
    'Temperature MOS': 26.5,
    Alarms: 'None',
    'Charge state': 'Discharging',
    'Model name': 'P16S100A',
    'Serial number': '1812101380309D',
  },
  foreign: encodeFrame({ version: VERSION, address: 2, code: 0, info: Uint8Array.of(0, 2) }),
  isRead: (request) => /^~250146(42E00201|44E00201|C10000|C20000)/.test(request.toString('latin1')),
});

describe.concurrent('paceFamily', () => {
  it('a battery that knows no alarms and no name is read without them', async () => {
    const bus = await serverTo(battery([COMMAND.telemetry.code]), family);
    const reading = await readingOf(await family.open(bus, TARGET));
    expect(reading).toMatchObject({ Voltage: 52.43 });
    expect(reading).not.toHaveProperty('Alarms');
    expect(reading).not.toHaveProperty('Serial number');
  });

  it('a battery that refuses its values is not recognised', async () => {
    const refused = family.open(await serverTo(battery([]), family), TARGET);
    await expect(refused).rejects.toThrow(NotRecognised);
    await expect(refused).rejects.toThrow('does not know this command');
  });
});
