import { expect, it } from 'vitest';
import { connectionChanges } from './connection-changes.ts';

it('a meter stays reversed while a page changes its role, and what takes its place is not', () => {
  const meter = { driver: 'eastron', bus: 'modbus-tcp://10.0.0.2', reversed: true };
  const { driver, bus } = meter;
  expect(connectionChanges([meter], [{ driver, bus, role: 'grid' }])).toEqual([
    { path: ['connections', 0, 'role'], value: 'grid' },
  ]);
  expect(connectionChanges([meter], [{ driver: 'deye', bus }])).toContainEqual({
    path: ['connections', 0, 'reversed'],
    value: undefined,
  });
});

it('connections that change places on a page keep the time for answers that the page does not show', () => {
  const slow = { driver: 'deye', bus: 'modbus-tcp://10.0.0.2', answer_timeout_s: 5 };
  const other = { driver: 'pi30', bus: 'serial:///dev/ttyUSB0' };
  const shown = [other, slow].map(({ driver, bus }) => ({ driver, bus }));
  expect(connectionChanges([slow, other], shown)).toEqual([{ path: ['connections'], value: [other, slow] }]);
});
