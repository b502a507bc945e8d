import { expect, it } from 'vitest';
import { connectionChanges } from './connection-changes.ts';

it('connections that change places on a page keep the time for answers that the page does not show', () => {
  const slow = { driver: 'deye', bus: 'modbus-tcp://10.0.0.2', answer_timeout_s: 5 };
  const other = { driver: 'pi30', bus: 'serial:///dev/ttyUSB0' };
  const shown = [other, slow].map(({ driver, bus }) => ({ driver, bus }));
  expect(connectionChanges([slow, other], shown)).toEqual([{ path: ['connections'], value: [other, slow] }]);
});
