import { expect, it } from 'vitest';
import { ModbusException } from '../bus/modbus/modbus-bus.ts';
import { RejectedByHardware } from './driver.ts';

it.each([
  [1, 'unsupported'],
  [2, 'unsupported'],
  [3, 'value_refused'],
  [4, 'failed'],
  [6, 'hardware_busy'],
  [128, 'no_permission'],
  [9, 'refused'],
])('a rejection because of Modbus exception %d has the reason %s', (code, reason) => {
  expect(new RejectedByHardware('no', { cause: new ModbusException(code) }).reason).toBe(reason);
});

it('a rejection without a cause has the reason refused, or its own', () => {
  expect(new RejectedByHardware('no').reason).toBe('refused');
  expect(new RejectedByHardware('no', { reason: 'kept' }).reason).toBe('kept');
});
