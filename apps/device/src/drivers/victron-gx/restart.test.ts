import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { afterAll, describe, expect, it } from 'vitest';
import { BATTERY, BMS, CHARGER, METER, VEBUS } from '../../../test/drivers/victron-gx/devices.ts';
import {
  gxWith,
  openGx,
  readUnit,
  refusal,
  serve,
  stopServed,
  wide,
} from '../../../test/drivers/victron-gx/gx.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { Hardware } from '../driver.ts';

afterAll(stopServed);

const SYSTEM = gxWith({ ...BATTERY, ...wide(908, 400), 850: 1400 });

/** Looks for one kind of device alone, which makes its turn come soon. */
const LOOKING_FOR = {
  vebus: { batteries: [], solar_chargers: [], grid_meter: 9 },
  battery: { vebus: 9, solar_chargers: [], grid_meter: 9 },
  charger: { vebus: 9, batteries: [], grid_meter: 9 },
  meter: { vebus: 9, batteries: [], solar_chargers: [] },
} as const;

/** More polls than there are unit ids for one kind of device. */
async function pollUntilReopenNeeded(hardware: Hardware): Promise<boolean> {
  for (let poll = 0; poll < 15 && !hardware.needsReopen; poll++) await hardware.poll();
  return hardware.needsReopen === true;
}

describe.concurrent('a GX that starts', () => {
  it.each([
    ['VE.Bus', 227, VEBUS, LOOKING_FOR.vebus],
    ['battery', 225, BMS, LOOKING_FOR.battery],
    ['solar charger', 224, CHARGER, LOOKING_FOR.charger],
    ['meter', 30, METER, LOOKING_FOR.meter],
  ])(
    'the hardware needs to be reopened when a %s appears after opening',
    async (_name, id, registers, options) => {
      const gx = await serve([100, SYSTEM]);
      const hardware = await openGx(gx, options);
      await hardware.poll();
      expect(hardware.needsReopen).toBe(false);
      gx.units.set(id, registers);
      expect(await pollUntilReopenNeeded(hardware)).toBe(true);
      const again = await openGx(gx, options);
      await again.poll();
      expect(again.needsReopen).toBe(false);
    },
  );

  it('devices from before a restart are unknown until they appear', async () => {
    const gx = await serve([100, SYSTEM], [227, VEBUS], [225, BMS], [226, CHARGER], [224, CHARGER]);
    const before = await openGx(gx);
    const reading = await readUnit(before);
    for (const unitId of [227, 225, 224]) gx.units.delete(unitId);
    const after = await openGx(gx);
    expect(after.units.map(({ kind }) => kind)).toEqual(before.units.map(({ kind }) => kind));
    expect(await readUnit(after)).toMatchObject({
      'PV power': null,
      'PV power 1': 1400,
      'PV power 2': null,
      'Grid power': null,
      'Load power': null,
      'Device mode': null,
    });
    expect(await readUnit(after, 1)).toMatchObject({ Voltage: null, 'State of charge': null });
    gx.units.set(227, VEBUS).set(225, BMS).set(224, CHARGER);
    expect(await readUnit(after)).toMatchObject(reading);
  });

  it.each([
    ['VE.Bus', 227, 228, VEBUS, LOOKING_FOR.vebus, 'Device mode', 'Bulk'],
    ['solar charger', 224, 223, CHARGER, LOOKING_FOR.charger, 'PV power 1', 1400],
  ])(
    'a %s that moved to another unit id is found there',
    async (_name, before, after, registers, options, name, value) => {
      const gx = await serve([100, SYSTEM], [before, registers]);
      const hardware = await openGx(gx, options);
      gx.units.delete(before);
      gx.units.set(after, registers);
      expect(await readUnit(hardware)).toHaveProperty([name], null);
      expect(await pollUntilReopenNeeded(hardware)).toBe(true);
      const again = await openGx(gx, options);
      const names = again.units[0]?.quantities.map((quantity) => quantity.name);
      expect(await readUnit(again)).toMatchObject({ [name]: value, 'PV power': 1400 });
      expect(names).not.toContain('PV power 2');
    },
  );

  it('the battery that was chosen among several stays the chosen one', async () => {
    const starter = serviceRegisters('battery', { 259: 1270, 266: 800 });
    const gx = await serve([100, SYSTEM], [225, BMS], [226, starter]);
    const hardware = await openGx(gx, LOOKING_FOR.battery);
    expect(await pollUntilReopenNeeded(hardware), 'the other one is known').toBe(false);
    gx.units.delete(225);
    expect(await readUnit(await openGx(gx, LOOKING_FOR.battery), 1)).toMatchObject({ Voltage: null });
  });

  it('a GX with another serial number has devices of its own', async () => {
    const gx = await serve([100, SYSTEM], [225, BMS]);
    await openGx(gx);
    gx.units.clear();
    gx.units.set(100, new Map(SYSTEM).set(805, 0x6165));
    expect((await openGx(gx)).units).toHaveLength(1);
  });

  it('devices that read 0 throughout leave their powers unknown', async () => {
    const gx = await serve(
      [100, SYSTEM],
      [227, serviceRegisters('vebus')],
      [225, serviceRegisters('battery')],
      [224, serviceRegisters('solarcharger')],
    );
    gx.units.get(100)?.set(908, 0).set(909, 0).set(850, 0);
    const hardware = await openGx(gx);
    expect(await readUnit(hardware)).toMatchObject({
      'PV power': null,
      'PV power 1': null,
      'Grid power': null,
      'Load power': null,
      'Device mode': null,
      'Power mode': null,
      'AC output power': null,
    });
    expect(await readUnit(hardware, 1)).toMatchObject({ Voltage: null, 'State of charge': null });
    gx.units.set(227, VEBUS).set(224, CHARGER);
    expect(await readUnit(hardware)).toMatchObject({ 'Device mode': 'Bulk', 'PV power 1': 1400 });
  });

  it('meter counters of 0 in both directions are unknown', async () => {
    const started = serviceRegisters('grid', { 2616: 2300 });
    const gx = await serve([100, SYSTEM], [30, started]);
    const hardware = await openGx(gx, LOOKING_FOR.meter);
    const meter = { 'Grid power': 400, 'Total grid import': null, 'Total grid export': null };
    expect(await readUnit(hardware)).toMatchObject(meter);
    gx.units.set(30, new Map(METER).set(2636, 0).set(2637, 0));
    expect(await readUnit(hardware)).toMatchObject({ 'Total grid import': 1234.6, 'Total grid export': 0 });
  });

  it('a poll fails with LinkDown while the GX has no serial number', async () => {
    const gx = await serve([100, SYSTEM]);
    const hardware = await openGx(gx);
    gx.units.set(100, serviceRegisters('system'));
    await expect(hardware.poll()).rejects.toThrow(/may be starting/);
  });

  it('a GX that is too busy for the probe of absent devices is read all the same', async () => {
    const gx = await serve([100, SYSTEM], [227, VEBUS]);
    const hardware = await openGx(gx, LOOKING_FOR.vebus);
    gx.onRead((unitId) => {
      if (unitId !== 100 && unitId !== 227) refusal(6);
    });
    expect(await pollUntilReopenNeeded(hardware)).toBe(false);
    gx.onRead(() => gx.line.behave('silent'));
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
  });
});
