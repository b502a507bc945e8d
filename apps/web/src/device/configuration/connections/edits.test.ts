import type { DriverDescription } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { blankConnection, fieldsAt, ofDriver, withOption } from './edits.ts';

const driver = (name: string, transports: string[]): DriverDescription => ({
  name,
  title: name,
  transports,
  has_units: true,
  usual_units: [],
  baud_rate: 9600,
  reads_meters: false,
  options: [],
});
const DRIVERS = [driver('deye', ['modbus-tcp', 'modbus-rtu']), driver('pylontech', ['serial'])];
const PORTS = [{ bus: 'serial:///dev/ttyUSB0', in_use_by: null }];

describe('editing a connection', () => {
  it('a blank connection has an address of the first driver', () => {
    expect(blankConnection(DRIVERS, PORTS)).toEqual({
      driver: 'deye',
      bus: 'modbus-tcp://',
      unit: null,
      role: null,
      options: {},
    });
    expect(blankConnection([], [])).toEqual({ driver: '', bus: '', unit: null, role: null, options: {} });
  });

  it('another driver with the same transport keeps the address, and neither options nor role', () => {
    const before = {
      driver: 'sunspec',
      bus: 'modbus-tcp://192.168.1.20',
      unit: 3,
      role: 'grid' as const,
      options: { phases: 3 },
    };
    expect(ofDriver(before, 'deye', DRIVERS, PORTS)).toEqual({
      driver: 'deye',
      bus: 'modbus-tcp://192.168.1.20',
      unit: null,
      role: null,
      options: {},
    });
    expect(ofDriver(before, 'pylontech', DRIVERS, PORTS).bus).toBe('serial:///dev/ttyUSB0');
  });

  it('withOption sets and removes options', () => {
    const connection = { driver: 'deye', bus: 'x', unit: null, role: null, options: { a: 1 } };
    expect(withOption(connection, 'b', false).options).toEqual({ a: 1, b: false });
    expect(withOption(connection, 'a', undefined).options).toEqual({});
  });

  it('fieldsAt finds the messages of one connection only', () => {
    const fields = { 'connections.1.bus': 'no', 'connections.11.bus': 'not this', connections: 'nor this' };
    expect(fieldsAt(fields, 1)).toEqual({ bus: 'no' });
    expect(fieldsAt(fields, 0)).toEqual({});
  });
});
