import type { ProbeFinding } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { isUsed, keyOf, withFound } from './found.ts';

const finding = (bus: string, unit: number | null): ProbeFinding => ({
  driver: 'sunspec',
  title: 'SunSpec',
  bus,
  unit,
  units: [{ kind: 'inverters', model: null, serial_number: null }],
  connection: { driver: 'sunspec', bus, unit, role: null, options: {} },
});

describe('findings of a probe', () => {
  it('two findings on one bus have different keys', () => {
    expect(keyOf(finding('modbus-tcp://a', 1))).not.toBe(keyOf(finding('modbus-tcp://a', 2)));
  });

  it('a finding that is connected already is used', () => {
    const { connection } = finding('modbus-tcp://a', 1);
    expect(isUsed(finding('modbus-tcp://a', 1), [connection])).toBe(true);
    expect(isUsed(finding('modbus-tcp://a', 2), [connection])).toBe(false);
    expect(isUsed(finding('modbus-tcp://b', 1), [connection])).toBe(false);
  });

  it('findings come behind the configured connections', () => {
    const { connection } = finding('modbus-tcp://a', 1);
    expect(withFound([connection], [finding('modbus-tcp://b', null)]).map(({ bus }) => bus)).toEqual([
      'modbus-tcp://a',
      'modbus-tcp://b',
    ]);
  });
});
