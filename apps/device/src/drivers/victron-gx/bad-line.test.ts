import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { afterAll, describe, expect, it } from 'vitest';
import { gxWith, openGx, readUnit, serve, stopServed } from '../../../test/drivers/victron-gx/gx.ts';
import { LinkDown } from '../../bus/failures.ts';

const BATTERY = serviceRegisters('battery', { 257: 520, 259: 5240, 261: 100, 266: 800 });

afterAll(stopServed);

async function start() {
  const gx = await serve(
    [100, gxWith({ 840: 524, 841: 100, 842: 520, 843: 80, 850: 900 })],
    [227, serviceRegisters('vebus', { 3: 2301, 31: 3 })],
    [225, BATTERY],
  );
  return { gx, hardware: await openGx(gx) };
}

describe.concurrent('GxHardware on a bad line', () => {
  it.each(['garbage', 'cut'] as const)(
    'a single fault (%s) is repaired by a second read, and the reading is complete',
    async (fault) => {
      const { gx, hardware } = await start();
      const before = await readUnit(hardware);
      gx.line.behave(fault, 1);
      expect(await readUnit(hardware)).toEqual(before);
    },
  );

  it.each(['garbage', 'cut', 'silent'] as const)(
    'a poll fails with LinkDown while the fault (%s) lasts',
    async (fault) => {
      const { gx, hardware } = await start();
      gx.line.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
    },
  );

  it('a lost answer of one device leaves out that device alone', async () => {
    const { gx, hardware } = await start();
    const [, before] = await hardware.poll();
    expect(before?.get('Voltage')).toBe(52.4);
    gx.onRead((unitId) => {
      if (unitId === 227) gx.line.behave('silent', 1);
    });
    const [system, battery] = await hardware.poll();
    expect(system?.has('Device mode')).toBe(false);
    expect(system?.get('Battery power')).toBe(520);
    expect(battery).toEqual(before);
  });

  it('the poll after a lost answer is complete again', async () => {
    const { gx, hardware } = await start();
    const before = await hardware.poll();
    gx.onRead((unitId) => {
      if (unitId === 225) gx.line.behave('silent', 1);
    });
    const [, battery] = await hardware.poll();
    expect(battery?.size).toBe(0);
    gx.onRead(() => {});
    expect(await hardware.poll()).toEqual(before);
  });
});

it.concurrent('no request splits a value or leaves its service', async () => {
  const { gx } = await start();
  // The bank refuses the requests that a GX refuses; all were answered, so none was split.
  const requested = gx.reads.filter(([unitId]) => unitId === 100);
  expect(requested).toContainEqual([100, 872, 48]);
  expect(requested).toContainEqual([100, 2700, 9]);
  expect(requested).toContainEqual([100, 2900, 3]);
});
