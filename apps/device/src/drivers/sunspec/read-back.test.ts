import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  REGISTER,
  type SettableInverter,
  startSettableInverter,
} from '../../../test/drivers/sunspec/settable-inverter.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';

const UNIMPLEMENTED = 0x8000;

let inverter: SettableInverter;
beforeEach(async () => {
  inverter = await startSettableInverter();
});
afterEach(() => inverter.stop());

describe('the model of a SunSpec setting before its write', () => {
  it('a model that the inverter refuses to read is not written', async () => {
    inverter.registers.delete(REGISTER.reserve);
    await expect(inverter.hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(
      new RejectedByHardware('Battery reserve cannot be read, so it was not written'),
    );
    expect(inverter.writes).toEqual([]);
  });

  it.each([
    ['is no longer reported', UNIMPLEMENTED],
    ['is far out of range, by which any value becomes 0,', 20],
    ['is far out of range below zero', 0x10000 - 20],
  ])('a value whose scale factor %s is not written', async (_case, scale) => {
    inverter.registers.set(REGISTER.limitScale, scale);
    await expect(inverter.hardware.write(0, 'Active power limit', 60)).rejects.toThrow(
      new RejectedByHardware(
        'the inverter no longer tells the scale of Active power limit, so it was not written',
      ),
    );
    expect(inverter.writes).toEqual([]);
  });
});

describe('the read-back of a SunSpec setting', () => {
  it('a value in force is written and confirmed', async () => {
    expect(await inverter.hardware.write(0, 'Battery reserve', 10)).toBe(10);
    expect(inverter.writes).toEqual([[REGISTER.reserve, [10]]]);
  });

  it('a value that its scale factor rounds is confirmed by one read-back', async () => {
    expect(await inverter.hardware.write(0, 'Active power limit', 60.04)).toBe(60);
    expect(inverter.reads).toBe(1);
  });

  it.each([2, READ_BACK_AT_MS.length])(
    'a value that takes effect at read-back %i is returned',
    async (last) => {
      inverter.take = (_unit, address, values) => {
        inverter.onRead = () => {
          if (inverter.reads === last) inverter.store(address, values);
        };
      };
      expect(await inverter.hardware.write(0, 'Battery reserve', 30)).toBe(30);
      expect(inverter.writes).toHaveLength(1);
      expect(inverter.reads).toBe(last);
    },
  );

  it('a model that the inverter refuses to read for a moment is read again', async () => {
    inverter.take = (_unit, address, values) => {
      inverter.onRead = () => {
        if (inverter.reads === 1) inverter.registers.delete(address);
        else inverter.store(address, values);
      };
    };
    expect(await inverter.hardware.write(0, 'Battery reserve', 30)).toBe(30);
    expect(inverter.writes).toHaveLength(1);
    expect(inverter.reads).toBe(2);
  });

  it('a model that the inverter refuses to read after the write leaves the outcome unknown', async () => {
    inverter.take = (_unit, address) => void inverter.registers.delete(address);
    const writing = inverter.hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message:
        'Battery reserve was written and could not be confirmed: Battery reserve cannot be read any more',
      cause: expect.any(LinkDown),
    });
    expect(inverter.writes).toHaveLength(1);
    expect(inverter.reads).toBe(READ_BACK_AT_MS.length);
  });

  it('an inverter that falls silent after the write leaves the outcome unknown', async () => {
    inverter.take = (_unit, address, values) => {
      inverter.store(address, values);
      inverter.onRead = () => inverter.link.behave('silent');
    };
    const writing = inverter.hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('Battery reserve was written and could not be confirmed: '),
      cause: expect.any(LinkDown),
    });
    expect(inverter.writes).toHaveLength(1);
  });
});
