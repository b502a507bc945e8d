import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { SINGLE } from '../../../test/drivers/deye/registers.ts';
import { bankOf, type RtuInverter, startRtuInverter } from '../../../test/drivers/deye/rtu-inverter.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { Hardware } from '../driver.ts';
import { deye } from './family.ts';

const running = runningUntilTheEnd();

async function start(registers: Map<number, number>): Promise<RtuInverter> {
  const inverter = await startRtuInverter(bankOf(registers));
  running.push(inverter);
  return inverter;
}

async function read(hardware: Hardware): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

describe.concurrent('DeyeHardware on a bad line', () => {
  it.each(['double', 'foreign'] as const)('a %s answer does not change the reading', async (fault) => {
    const { bus, faults } = await start(SINGLE);
    const hardware = await deye.open(bus, { unit: 1, options: {} });
    const before = await read(hardware);
    faults.foreign = Buffer.from('0203020001', 'hex');
    faults.behave(fault);
    expect(await read(hardware)).toEqual(before);
  });

  it.each(['corrupt', 'truncate'] as const)(
    'a single %s answer is read again, and the reading is complete',
    async (fault) => {
      const { bus, faults } = await start(SINGLE);
      const hardware = await deye.open(bus, { unit: 1, options: {} });
      const before = await read(hardware);
      faults.behave(fault, 1);
      expect(await read(hardware)).toEqual(before);
    },
  );

  it('a block without a good answer is missing from the reading, and no other value', async () => {
    const SECOND_BLOCK = 53;
    const bank = bankOf(SINGLE);
    const inverter = await startRtuInverter({
      ...bank,
      readRange: (unit, address, count) => {
        if (corrupts && address === SECOND_BLOCK) inverter.faults.behave('corrupt', 2);
        return bank.readRange(unit, address, count);
      },
    });
    running.push(inverter);
    let corrupts = false;
    const hardware = await deye.open(inverter.bus, { unit: 1, options: {} });
    const before = await read(hardware);
    corrupts = true;
    const after = await read(hardware);
    expect(after).toMatchObject({ 'Serial number': '2301606000', 'Rated power': 5000 });
    expect(after).not.toHaveProperty('Device mode');
    expect(before).toMatchObject(after);
  });

  it.each(['corrupt', 'silent', 'cut'] as const)(
    'a poll fails with LinkDown while every answer is %s',
    async (fault) => {
      const { bus, faults } = await start(SINGLE);
      const hardware = await deye.open(bus, { unit: 1, options: {} });
      faults.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
    },
  );

  it('a late answer is never taken for the answer to another request', async () => {
    const { bus, faults } = await start(SINGLE);
    const hardware = await deye.open(bus, { unit: 1, options: {} });
    const before = await read(hardware);
    faults.behave('hold', 1);
    const polling = read(hardware);
    await polling;
    faults.release();
    expect(before).toMatchObject(await polling);
    expect(await read(hardware)).toEqual(before);
  });

  it('a poll fails with LinkDown when another inverter answers', async () => {
    const registers = new Map(SINGLE);
    const { bus } = await start(registers);
    const hardware = await deye.open(bus, { unit: 1, options: {} });
    registers.set(7, 0x3031);
    await expect(hardware.poll()).rejects.toThrow('unit 1 is now 2301606001, not 2301606000');
  });
});
