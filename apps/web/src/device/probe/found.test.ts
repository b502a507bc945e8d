import type { ProbeFinding } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { isUsed, keyOf, withFound } from './found.ts';

const finding = (bus: string, unit: number | null): ProbeFinding => ({
  driver: 'sunspec',
  title: 'SunSpec',
  bus,
  unit,
  units: [{ kind: 'inverters', model: null }],
  connection: { driver: 'sunspec', bus, unit, options: {} },
});

describe('what a look has found', () => {
  it('is told apart by its unit on one bus', () => {
    expect(keyOf(finding('modbus-tcp://a', 1))).not.toBe(keyOf(finding('modbus-tcp://a', 2)));
  });

  it('is known when it is connected already', () => {
    const { connection } = finding('modbus-tcp://a', 1);
    expect(isUsed(finding('modbus-tcp://a', 1), [connection])).toBe(true);
    expect(isUsed(finding('modbus-tcp://a', 2), [connection])).toBe(false);
    expect(isUsed(finding('modbus-tcp://b', 1), [connection])).toBe(false);
  });

  it('comes behind what has its number', () => {
    const { connection } = finding('modbus-tcp://a', 1);
    expect(withFound([connection], [finding('modbus-tcp://b', null)]).map(({ bus }) => bus)).toEqual([
      'modbus-tcp://a',
      'modbus-tcp://b',
    ]);
  });
});
