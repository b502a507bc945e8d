import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { afterAll, describe, expect, it } from 'vitest';
import { gxWith, openGx, refusal, serve, stopServed } from '../../../test/drivers/victron-gx/gx.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';

const MAX_DISCHARGE = 2704;
/** A signed register whose number is beyond its range. */
const TOO_LARGE = 0x7fff;

afterAll(stopServed);

async function start() {
  const gx = await serve(
    [100, gxWith({ 2700: 50, 2704: 300, 2705: 0xffff, 2900: 10, 2901: 200, 2902: 1 })],
    [227, serviceRegisters('vebus', { 22: 320, 28: 1, 33: 3 })],
    [224, serviceRegisters('solarcharger', { 774: 1 })],
  );
  return { gx, hardware: await openGx(gx, { vebus: 227, batteries: [], solar_chargers: [224] }) };
}

describe.concurrent('writeSetting of a GX', () => {
  it.each([
    ['Grid setpoint', -200, [100, 2700, 0xff38], -200],
    ['Max discharge power', -1, [100, 2704, 0xffff], -1],
    ['Max discharge power', 2500, [100, 2704, 250], 2500],
    ['Max discharge power', 0, [100, 2704, 0], 0],
    ['Max charge current', 70, [100, 2705, 70], 70],
    ['Max sell power', 3000, [100, 2706, 30], 3000],
    ['Minimum state of charge', 35, [100, 2901, 350], 35],
    ['Max charge voltage', 56.4, [100, 2710, 564], 56.4],
    ['ESS mode', 'External control', [100, 2902, 3], 'External control'],
    ['Prevent AC PV feed in', 'Do not feed in', [100, 2708, 1], 'Do not feed in'],
    ['Relay 1', 'Closed', [100, 806, 1], 'Closed'],
    ['Input current limit', 16.3, [227, 22, 163], 16.3],
    ['Power mode', 'Charger only', [227, 33, 1], 'Charger only'],
    ['Disable charge', 'Charge disabled', [227, 38, 1], 'Charge disabled'],
    ['MPPT enabled 1', 'Off', [224, 774, 4], 'Off'],
  ] as const)('%s = %j is written once, to its device, and read back', async (name, value, write, now) => {
    const { gx, hardware } = await start();
    expect(await hardware.write(0, name, value)).toBe(now);
    expect(gx.writes).toEqual([write]);
  });

  it.each([
    ['Minimum state of charge', 20],
    ['Max charge current', -1],
    ['Power mode', 'On'],
    ['Battery life state', 'BatteryLife off'],
  ])('%s in force is not written again: memory wears', async (name, value) => {
    const { gx, hardware } = await start();
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(gx.writes).toEqual([]);
  });

  it('a value that decodes ambiguously is written although it may be in force', async () => {
    const { gx, hardware } = await start();
    gx.units.get(100)?.set(MAX_DISCHARGE, 0);
    const before = gx.reads.length;
    expect(await hardware.write(0, 'Max discharge power', 0)).toBe(0);
    expect(gx.writes).toEqual([[100, MAX_DISCHARGE, 0]]);
    expect(gx.reads.slice(before), 'with the serial number before, and behind the write').toHaveLength(3);
    expect((await hardware.poll())[0]?.get('Max discharge power')).toBeNull();
  });

  it('a value that the GX chose in place of an ambiguous one is returned', async () => {
    const { gx, hardware } = await start();
    gx.onWrite((unitId, address) => void gx.units.get(unitId)?.set(address, 250));
    expect(await hardware.write(0, 'Max discharge power', 0)).toBe(2500);
    expect(gx.writes).toEqual([[100, MAX_DISCHARGE, 0]]);
  });

  it('a register without a value does not confirm an ambiguous one', async () => {
    const { gx, hardware } = await start();
    gx.onWrite((unitId, address, [value = 0]) => {
      let readBacks = 0;
      gx.onRead(() => {
        readBacks += 1;
        gx.units.get(unitId)?.set(address, readBacks === 1 ? TOO_LARGE : value);
      });
    });
    expect(await hardware.write(0, 'Max discharge power', 0)).toBe(0);
    expect(gx.writes).toHaveLength(1);
  });

  it('a value between two counts of 1 is returned as the register holds it', async () => {
    const { gx, hardware } = await start();
    expect(await hardware.write(0, 'Grid setpoint', 100.4)).toBe(100);
    expect(gx.writes).toEqual([[100, 2700, 100]]);
  });

  it.each([
    ['BatteryLife on', 1, 2],
    ['BatteryLife on', 1, 5],
    ['BatteryLife off', 0, 11],
  ])('%s is taken, whatever the GX makes of the %i', async (value, written, becomes) => {
    const { gx, hardware } = await start();
    gx.units.get(100)?.set(2900, 9);
    gx.onWrite((unitId, address) => void gx.units.get(unitId)?.set(address, becomes));
    const before = gx.reads.length;
    expect(await hardware.write(0, 'Battery life state', value)).toBe(value);
    expect(gx.writes).toEqual([[100, 2900, written]]);
    expect(gx.reads.slice(before), 'with the serial number before, and behind the write').toHaveLength(3);
  });

  it.each(['AC power setpoint', 'PV power', 'ESS state'])('%s is no setting', async (name) => {
    const { gx, hardware } = await start();
    await expect(hardware.write(0, name, 1)).rejects.toThrow(RangeError);
    expect(gx.writes).toEqual([]);
  });
});

describe.concurrent('a GX that does not accept a value', () => {
  it.each([
    ['writes are turned off', 2, /Modbus TCP may be set to read only/],
    ['the value is illegal', 3, /the unit refuses this value/],
    ['the device behind the GX is absent or refuses', 10, /its device is not there, or did not take it/],
  ])('a refused write rejects with the reason when %s', async (_name, code, reason) => {
    const { gx, hardware } = await start();
    gx.onWrite(() => refusal(code));
    const writing = hardware.write(0, 'Grid setpoint', 100);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow(reason);
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('the GX refused 100 for Grid setpoint: '),
      cause: expect.any(code === 10 ? WriteUnanswered : ModbusException),
    });
    expect(gx.writes).toHaveLength(1);
  });

  it('a write that leaves the old value rejects', async () => {
    const { gx, hardware } = await start();
    gx.onWrite(() => {});
    const before = gx.reads.length;
    const writing = hardware.write(0, 'Grid setpoint', 100);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('kept Grid setpoint at 50 and did not take 100');
    expect(gx.writes).toHaveLength(1);
    expect(gx.reads.slice(before), 'two before the write, the others behind it').toHaveLength(
      2 + READ_BACK_AT_MS.length,
    );
  });

  it('a write that leaves a register without a value rejects', async () => {
    const { gx, hardware } = await start();
    gx.units.get(100)?.set(2700, TOO_LARGE);
    gx.onWrite(() => {});
    await expect(hardware.write(0, 'Grid setpoint', 100)).rejects.toThrow(
      new RejectedByHardware('the GX kept Grid setpoint at an unknown value and did not take 100'),
    );
    expect(gx.writes).toHaveLength(1);
  });

  it('a value that the GX chose itself is returned', async () => {
    const { gx, hardware } = await start();
    gx.onWrite((unitId, address) => void gx.units.get(unitId)?.set(address, 160));
    expect(await hardware.write(0, 'Input current limit', 10)).toBe(16);
  });

  it.each([2, READ_BACK_AT_MS.length])(
    'a value that takes effect at read-back %i is returned',
    async (last) => {
      const { gx, hardware } = await start();
      let readBacks = 0;
      gx.onWrite((unitId, address, [value = 0]) => {
        gx.onRead(() => {
          readBacks += 1;
          if (readBacks === last) gx.units.get(unitId)?.set(address, value);
        });
      });
      expect(await hardware.write(0, 'Grid setpoint', 100)).toBe(100);
      expect(readBacks).toBe(last);
      expect(gx.writes).toHaveLength(1);
    },
  );

  it.each([
    ['between two counts', 'Max sell power', 1234, /in steps of 100 W, so not 1234/],
    ['between two counts of tens', 'Max discharge power', 1234, /in steps of 10 W/],
    ['that no register holds', 'Grid setpoint', 70_000, /cannot hold 70000/],
    ['that is no option', 'Power mode', 'Eco', /cannot hold Eco/],
    ['that is a text of digits', 'Max sell power', '1234', /cannot hold 1234/],
  ])('a value %s is not sent', async (_name, setting, value, reason) => {
    const { gx, hardware } = await start();
    const writing = hardware.write(0, setting, value);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow(reason);
    expect(gx.writes).toEqual([]);
  });

  it('the error of a value that no register holds has its cause', async () => {
    const { hardware } = await start();
    await expect(hardware.write(0, 'Grid setpoint', 70_000)).rejects.toMatchObject({
      message: 'the GX cannot hold 70000 for Grid setpoint',
      cause: expect.any(RangeError),
    });
  });

  it('a setting of an absent device is not written', async () => {
    const { gx, hardware } = await start();
    gx.units.delete(227);
    const writing = hardware.write(0, 'Power mode', 'Off');
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('Power mode cannot be read, so it was not written');
    expect(gx.writes).toEqual([]);
  });
});

describe.concurrent('writeSetting of a GX over a bad link', () => {
  it.each(['cut', 'silent', 'garbage'] as const)(
    'a value whose answer has a fault (%s) is read back, and written once',
    async (fault) => {
      const { gx, hardware } = await start();
      gx.onWrite((unitId, address, [value = 0]) => {
        gx.units.get(unitId)?.set(address, value);
        gx.line.behave(fault, 1);
      });
      expect(await hardware.write(0, 'Grid setpoint', 100)).toBe(100);
      expect(gx.writes).toEqual([[100, 2700, 100]]);
    },
  );

  it('a gateway that timed out leaves the outcome unknown', async () => {
    const { gx, hardware } = await start();
    gx.onWrite(() => refusal(11));
    await expect(hardware.write(0, 'Grid setpoint', 100)).rejects.toThrow(WriteUnanswered);
    expect(gx.writes).toHaveLength(1);
  });

  it('a link that breaks before the write writes nothing', async () => {
    const { gx, hardware } = await start();
    gx.line.behave('cut');
    await expect(hardware.write(0, 'Grid setpoint', 100)).rejects.toThrow(LinkDown);
    expect(gx.writes).toEqual([]);
  });

  it('a unit that disappears after the write leaves the outcome unknown', async () => {
    const { gx, hardware } = await start();
    gx.onWrite((unitId, address, [value = 0]) => {
      gx.units.get(unitId)?.set(address, value);
      // The read-back fails; the answer to the write passes.
      gx.onRead(() => void gx.units.delete(unitId));
    });
    const writing = hardware.write(0, 'Grid setpoint', 100);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('Grid setpoint was written and could not be confirmed: '),
      cause: expect.any(LinkDown),
    });
    expect(gx.writes).toHaveLength(1);
  });

  it('a register that is gone after the write leaves the outcome unknown', async () => {
    const { gx, hardware } = await start();
    gx.onWrite((unitId, address) => void gx.units.get(unitId)?.delete(address));
    const writing = hardware.write(0, 'Grid setpoint', 100);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: 'Grid setpoint was written and could not be confirmed: the unit has no such register',
      cause: expect.any(ModbusException),
    });
    expect(gx.writes).toHaveLength(1);
  });

  it('a write that was aborted before it is sent writes nothing', async () => {
    const { gx, hardware } = await start();
    const writing = hardware.write(0, 'Grid setpoint', 100, AbortSignal.abort());
    await expect(writing).rejects.toThrow(LinkDown);
    expect(gx.writes).toEqual([]);
  });
});
