import type { ConnectionSettings } from '@heliograph/client';
import { expect, it } from 'vitest';
import { isWritingOfSupport } from './may-write.ts';

const connection = (part: Partial<ConnectionSettings>): ConnectionSettings => ({
  driver: 'meter',
  bus: 'modbus-tcp://10.0.0.7',
  unit: 1,
  role: null,
  options: {},
  ...part,
});
const OFF = connection({});
const ON = connection({ options: { allow_writes: true } });

it.each([
  ['a connection that writes', ON, [ON], true],
  ['one that is about to write no more', OFF, [ON], true],
  ['one that does not write', OFF, [OFF], false],
  ['one whose option is off', connection({ options: { allow_writes: false } }), [OFF], false],
  ['a new one', OFF, [], false],
  ['one that writes at another address now', { ...ON, bus: 'modbus-tcp://10.0.0.8' }, [ON], true],
  ['one that does not write at another address', { ...OFF, bus: 'modbus-tcp://10.0.0.8' }, [ON], false],
  ['one that does not write with another unit', { ...OFF, unit: 2 }, [ON], false],
  ['one that does not write with another driver', { ...OFF, driver: 'deye' }, [ON], false],
])('support and %s', (_, edited, saved, isOfSupport) => {
  expect(isWritingOfSupport(edited, saved)).toBe(isOfSupport);
});
