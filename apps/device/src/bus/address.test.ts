import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BadAddress,
  type BusAddress,
  canonicalAddress,
  parseBusAddress,
  type SerialLine,
} from './address.ts';

describe('parseBusAddress', () => {
  it.each<[string, BusAddress]>([
    ['modbus-tcp://192.168.1.20', { transport: 'modbus-tcp', host: '192.168.1.20', port: 502 }],
    ['modbus-tcp://192.168.1.20:1502', { transport: 'modbus-tcp', host: '192.168.1.20', port: 1502 }],
    ['modbus-tcp://Inverter.Local/', { transport: 'modbus-tcp', host: 'inverter.local', port: 502 }],
    ['modbus-tcp://[FE80:0::1]:502', { transport: 'modbus-tcp', host: 'fe80::1', port: 502 }],
    ['modbus-rtu-tcp://10.0.0.2:8899', { transport: 'modbus-rtu-tcp', host: '10.0.0.2', port: 8899 }],
    ['serial-tcp://gateway:23', { transport: 'serial-tcp', host: 'gateway', port: 23 }],
    [
      'solarman://10.0.0.3?logger=2712345678',
      { transport: 'solarman', host: '10.0.0.3', port: 8899, logger: 2_712_345_678 },
    ],
    ['modbus-rtu:///dev/ttyUSB0', { transport: 'modbus-rtu', path: '/dev/ttyUSB0' }],
    [
      'serial:///dev/ttyUSB0?stop=2&parity=even&baud=2400',
      { transport: 'serial', path: '/dev/ttyUSB0', baudRate: 2400, parity: 'even', stopBits: 2 },
    ],
    [
      'serial:///dev/serial/by-path/usb-0:1:1.0-port0%20a',
      { transport: 'serial', path: '/dev/serial/by-path/usb-0:1:1.0-port0 a' },
    ],
    ['modbus-rtu:///com3?baud=9600', { transport: 'modbus-rtu', path: 'COM3', baudRate: 9600 }],
    ['hid:///dev/hidraw0', { transport: 'hid', path: '/dev/hidraw0' }],
    ['http://192.168.1.30', { transport: 'http', host: '192.168.1.30', port: 80 }],
    ['http://shelly.local:8080/', { transport: 'http', host: 'shelly.local', port: 8080 }],
  ])('%s', (text, address) => {
    expect(parseBusAddress(text)).toEqual(address);
  });

  it.each([
    ['', /does not begin with one of modbus-tcp, /],
    ['/dev/ttyUSB0', /does not begin/],
    ['ftp://192.168.1.20', /does not begin/],
    ['toString://192.168.1.20', /does not begin/],
    ['modbus-tcp:192.168.1.20', /does not begin/],
    ['modbus-tcp://', /names no host/],
    ['modbus-tcp://:502', /a host or a port that cannot be/],
    ['modbus-tcp://host:70000', /a host or a port that cannot be/],
    ['modbus-tcp://host:0', /port 0/],
    ['modbus-tcp://host:50 2', /a space/],
    ['modbus-tcp://[::1%25eth0]:502', /a host or a port that cannot be/],
    ['modbus-tcp://a..b', /a host that cannot be/],
    ['modbus-tcp://ho%20st', /a host that cannot be/],
    ['modbus-tcp://-host', /a host that cannot be/],
    ['modbus-tcp://me:secret@host', /names a user/],
    ['modbus-tcp://host/unit', /more after the port/],
    ['modbus-tcp://host#', /a "#"/],
    ['modbus-tcp://host?unit=1', /an unknown parameter "unit"/],
    ['modbus-tcp://host?baud=9600', /an unknown parameter "baud"/],
    ['modbus-rtu-tcp://host', /names no port/],
    ['serial-tcp://host', /names no port; one reads like serial-tcp:/],
    ['solarman://host', /the serial number of the logger/],
    ['solarman://host?logger=0', /a logger outside/],
    ['solarman://host?logger=4294967296', /a logger outside/],
    ['solarman://host?logger=0x10', /a logger outside/],
    ['solarman://host?logger=1&logger=2', /"logger" twice/],
    ['serial://dev/ttyUSB0', /begins with a third slash/],
    ['serial://', /names no device file/],
    ['serial:///dev/', /names no device file/],
    ['serial:///dev/%zz', /a "%" that stands for no character/],
    ['serial:///dev/a%00b', /a path that cannot be/],
    ['serial:///dev/ttyUSB0?baud=', /a baud outside/],
    ['serial:///dev/ttyUSB0?baud=9.6', /a baud outside/],
    ['serial:///dev/ttyUSB0?baud=100', /a baud outside/],
    ['serial:///dev/ttyUSB0?parity=mark', /a parity other than/],
    ['serial:///dev/ttyUSB0?stop=1.5', /stop bits other than/],
    ['hid:///dev/hidraw0?baud=9600', /an unknown parameter "baud"/],
  ])('the address %j is refused', (text, reason) => {
    expect(() => parseBusAddress(text)).toThrow(BadAddress);
    expect(() => parseBusAddress(text)).toThrow(reason);
  });

  it('a refusal does not repeat a password', () => {
    expect(() => parseBusAddress('modbus-tcp://me:secret@host')).not.toThrow(/secret/);
  });
});

const port = fc.integer({ min: 1, max: 65_535 });
const host = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((text) => new URL(`http://[${text}]`).hostname.slice(1, -1)),
  fc.domain().map((text) => text.toLowerCase()),
);
const path = fc
  .array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
  .map((parts) => `/dev/${parts.map((part) => part.replace(/[/\0]/g, '-')).join('/')}`)
  .filter((text) => !/\/\.{1,2}(\/|$)/.test(text));
const line = fc.record<Required<SerialLine>, never>(
  {
    baudRate: fc.integer({ min: 110, max: 4_000_000 }),
    parity: fc.constantFrom('none', 'even', 'odd'),
    stopBits: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
);
const address: fc.Arbitrary<BusAddress> = fc.oneof(
  fc.record({ transport: fc.constantFrom('modbus-tcp', 'modbus-rtu-tcp', 'serial-tcp', 'http'), host, port }),
  fc.record({
    transport: fc.constant('solarman'),
    host,
    port,
    logger: fc.integer({ min: 1, max: 0xffff_ffff }),
  }),
  fc
    .tuple(fc.constantFrom('modbus-rtu', 'serial'), path, line)
    .map(([transport, place, settings]) => ({ transport, path: place, ...settings })),
  fc.record({ transport: fc.constant('hid'), path }),
);

describe('parseBusAddress and canonicalAddress', () => {
  it('any address is read back as it was written', () => {
    fc.assert(
      fc.property(address, (any) => {
        expect(parseBusAddress(canonicalAddress(any))).toEqual(any);
      }),
    );
  });

  it('any address has one canonical form, whatever the order of its parts', () => {
    expect(canonicalAddress(parseBusAddress('serial:///dev/ttyUSB0?stop=1&baud=2400'))).toBe(
      'serial:///dev/ttyUSB0?baud=2400&stop=1',
    );
    expect(canonicalAddress(parseBusAddress('modbus-tcp://[FE80::0:1]'))).toBe('modbus-tcp://[fe80::1]:502');
    expect(isIPv6('fe80::1')).toBe(true);
  });

  it('any text is either parsed or refused with BadAddress', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', 'serial:///', 'modbus-tcp://', 'solarman://h?'),
        (text, start) => {
          try {
            const taken = parseBusAddress(start + text);
            expect(parseBusAddress(canonicalAddress(taken))).toEqual(taken);
          } catch (error) {
            expect(error).toBeInstanceOf(BadAddress);
          }
        },
      ),
    );
  });
});
