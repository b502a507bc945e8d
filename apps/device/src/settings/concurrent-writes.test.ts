import { expect, it } from 'vitest';
import { bankOf } from '../../test/drivers/deye/rtu-inverter.ts';
import { runningUntilTheEnd } from '../../test/running.ts';
import { modbusFamily } from '../../test/settings/modbus-table.ts';
import { startModbusUnit } from '../../test/settings/modbus-unit.ts';
import { ObservedDevice } from '../../test/settings/observed-writes.ts';
import { BEHAVIOURS, type WriteBehaviour } from '../../test/settings/write-behaviours.ts';
import { MODBUS_SETTINGS } from '../../test/settings/written-settings.ts';

const VALUES = ['95', '90', '85', '80', '75', '70'];
const CONFIRMED = { answer: 'confirmed', log: 'ok' };
const NOT_SENT = { answer: expect.stringContaining('was not written: earlier writes left'), log: 'not sent' };
const OTHERS_NOT_SENT = Array(VALUES.length - 1).fill(NOT_SENT);
const KEPT = { answer: expect.stringContaining('did not take'), log: 'rejected' };

const MICRO_INVERTER = new Map([
  [0, 4],
  [3, 13_104],
  [18, 513],
  [40, 100],
  [59, 2],
]);

const running = runningUntilTheEnd();

async function startMicroInverter() {
  const [setting] = MODBUS_SETTINGS['deye-micro'] ?? [];
  if (setting === undefined) throw new Error('the micro-inverter has no setting');
  const device = await ObservedDevice.start({
    start: (clock) =>
      startModbusUnit({
        family: modbusFamily('deye-micro'),
        unitId: 1,
        bank: bankOf(new Map(MICRO_INVERTER)),
        line: 'modbus-tcp',
        clock,
      }),
  });
  running.push(device);
  return { device, setting };
}

function behaviourOf(name: string): WriteBehaviour {
  const behaviour = BEHAVIOURS.find((one) => one.name === name);
  if (behaviour === undefined) throw new Error(`there is no behaviour ${name}`);
  return behaviour;
}

it.each([
  ['applies it at once', Array(VALUES.length).fill(CONFIRMED)],
  ['applies it after 0.6 s', Array(VALUES.length).fill(CONFIRMED)],
  ['applies it after 5 s', [CONFIRMED, ...OTHERS_NOT_SENT]],
  ['applies it after the last read-back', [KEPT, ...OTHERS_NOT_SENT]],
  ['acknowledges it and keeps the old value', [KEPT, ...OTHERS_NOT_SENT]],
])(
  'six writes at the same time, to a unit that %s, are answered in turn or not sent',
  async (name, expected) => {
    const { device, setting } = await startMicroInverter();
    const results = await device.writeConcurrently(setting, VALUES, behaviourOf(name));
    expect(results).toEqual(expected);
    expect(results.map(({ log }) => log)).not.toContain('unknown');
  },
);

it.each(['acknowledges it and keeps the old value', 'neither applies nor answers it', 'takes another value'])(
  'six writes to a unit that %s hold up none of the next six',
  async (name) => {
    const { device, setting } = await startMicroInverter();
    await device.writeConcurrently(setting, VALUES, behaviourOf(name));
    const results = await device.writeConcurrently(setting, VALUES, behaviourOf('applies it after 0.6 s'));
    expect(results).toEqual(Array(VALUES.length).fill(CONFIRMED));
  },
);
