import type { MachinePort } from '@heliograph/client';

/** Examples of addresses, by transport; the documentation uses the same. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'modbus-tcp': 'modbus-tcp://192.168.1.20:502',
  'modbus-rtu': 'modbus-rtu:///dev/ttyUSB0?baud=9600',
  'modbus-rtu-tcp': 'modbus-rtu-tcp://192.168.1.21:8899',
  'modbus-udp': 'modbus-udp://192.168.1.23:8899',
  solarman: 'solarman://192.168.1.22:8899?logger=2712345678',
  serial: 'serial:///dev/ttyUSB0?baud=2400',
  'serial-tcp': 'serial-tcp://192.168.1.21:8899',
  hid: 'hid:///dev/hidraw0',
  http: 'http://192.168.1.30',
};

/** @returns an address to follow; undefined for a kind that is not known here */
export function exampleOf(transport: string): string | undefined {
  return EXAMPLES[transport];
}

/** `modbus-tcp` of `modbus-tcp://192.168.1.20`; empty where nothing stands before `://`. */
export function transportOf(bus: string): string {
  return /^([a-z-]+):\/\//.exec(bus.trim())?.[1] ?? '';
}

/** The ports of the machine that can be reached in this way. */
export function portsFor(transport: string, ports: readonly MachinePort[]): readonly MachinePort[] {
  return ports.filter(({ bus }) => transportOf(bus) === transport);
}

/**
 * The address after a change of transport: the same place where possible, else a free port of the machine, else only
 * the transport.
 */
export function busFor(transport: string, before: string, ports: readonly MachinePort[]): string {
  const place = before.trim().slice(transportOf(before).length + '://'.length);
  const isPath = (EXAMPLES[transport] ?? '').includes(':///');
  const known = portsFor(transport, ports);
  if (isPath) {
    const same = known.find(({ bus }) => bus === `${transport}://${place}`);
    return (
      (same ?? known.find(({ in_use_by: user }) => user === null) ?? known[0])?.bus ?? `${transport}:///dev/`
    );
  }
  const [host = ''] = place.split('?');
  return `${transport}://${host.startsWith('/') ? '' : host}`;
}
