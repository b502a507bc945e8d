import { describe, expect, it } from 'vitest';
import { busFor, exampleOf, portsFor, transportOf } from './bus-address.ts';

const PORTS = [
  { bus: 'modbus-rtu:///dev/ttyUSB0', in_use_by: 'deye' },
  { bus: 'serial:///dev/ttyUSB0', in_use_by: 'deye' },
  { bus: 'modbus-rtu:///dev/ttyUSB1', in_use_by: null },
  { bus: 'serial:///dev/ttyUSB1', in_use_by: null },
  { bus: 'hid:///dev/hidraw0', in_use_by: null },
];

describe('bus addresses', () => {
  it('transportOf is the scheme of an address', () => {
    expect(transportOf('modbus-tcp://192.168.1.20')).toBe('modbus-tcp');
    expect(transportOf(' hid:///dev/hidraw0')).toBe('hid');
    expect(transportOf('192.168.1.20')).toBe('');
  });

  it('busFor keeps the host between transports of the network', () => {
    expect(busFor('modbus-rtu-tcp', 'modbus-tcp://192.168.1.20:502', PORTS)).toBe(
      'modbus-rtu-tcp://192.168.1.20:502',
    );
    expect(busFor('modbus-tcp', 'solarman://10.0.0.5:8899?logger=27', PORTS)).toBe(
      'modbus-tcp://10.0.0.5:8899',
    );
  });

  it('busFor keeps the port of the machine, else chooses a free one', () => {
    expect(busFor('serial', 'modbus-rtu:///dev/ttyUSB0', PORTS)).toBe('serial:///dev/ttyUSB0');
    expect(busFor('serial', 'modbus-tcp://192.168.1.20:502', PORTS)).toBe('serial:///dev/ttyUSB1');
    expect(busFor('serial', '', [])).toBe('serial:///dev/');
  });

  it('busFor uses no path as a host', () => {
    expect(busFor('modbus-tcp', 'serial:///dev/ttyUSB0', PORTS)).toBe('modbus-tcp://');
  });

  it('portsFor lists the ports of one transport', () => {
    expect(portsFor('hid', PORTS)).toEqual([PORTS[4]]);
    expect(portsFor('modbus-tcp', PORTS)).toEqual([]);
  });

  it('exampleOf every transport begins with its scheme', () => {
    for (const transport of [
      'modbus-tcp',
      'modbus-rtu',
      'modbus-rtu-tcp',
      'solarman',
      'serial',
      'serial-tcp',
      'hid',
    ])
      expect(transportOf(exampleOf(transport) ?? '')).toBe(transport);
  });
});
