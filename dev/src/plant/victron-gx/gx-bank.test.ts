import { describe, expect, test } from 'vitest';
import { gxBank, serviceRegisters } from './gx-bank.ts';

const units = new Map([
  [100, new Map([...serviceRegisters('system', { 850: 1200 }), ...serviceRegisters('settings')])],
  [227, serviceRegisters('vebus')],
]);
const written: number[][] = [];
const bank = gxBank(
  () => units,
  (...request) => void written.push(request.flat()),
);

describe('gxBank', () => {
  test.each([
    ['one register', 100, 850, 1, [1200]],
    ['registers that it does not have, which are 0', 227, 3, 3, [0, 0, 0]],
    ['both halves of a number', 100, 908, 2, [0, 0]],
  ])('%s', (_name, unitId, address, count, values) => {
    expect(bank.readRange(unitId, address, count)).toEqual(values);
  });

  test.each([
    ['a unit id that it does not know', 5, 850, 1, 11],
    ['a service that is not behind this unit id', 227, 850, 1, 10],
    ['a service that is not behind the GX', 100, 31, 1, 10],
    ['an address of no service', 100, 1000, 1, 2],
    ['a gap', 100, 846, 5, 2],
    ['two services at once', 100, 2708, 3, 2],
    ['a number without its first half', 100, 909, 1, 2],
    ['a number without its second half', 100, 906, 3, 2],
  ])('a read of %s is refused', (_name, unitId, address, count, code) => {
    expect(() => bank.readRange(unitId, address, count)).toThrow(`Modbus exception ${code}`);
  });

  test('writes are checked like reads', () => {
    expect(() => bank.write(5, 2700, [1])).toThrow('Modbus exception 11');
    bank.write(100, 2700, [1]);
    expect(written).toEqual([[100, 2700, 1]]);
  });
});
