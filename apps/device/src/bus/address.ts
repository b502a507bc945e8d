import { isIPv6 } from 'node:net';

/**
 * The address of hardware, written as a URL:
 *
 * - `modbus-tcp://192.168.1.20:502`: Modbus TCP, also of gateways that translate it; the port may be left out
 * - `modbus-rtu:///dev/ttyUSB0?baud=9600&parity=even&stop=1`: Modbus RTU over a serial port
 * - `modbus-rtu-tcp://192.168.1.21:8899`: RTU frames through a gateway that passes bytes on
 * - `modbus-udp://192.168.1.23:8899`: RTU frames in datagrams, as Wi-Fi modules of GoodWe take them; the port may be
 *   left out
 * - `solarman://192.168.1.22:8899?logger=2712345678`: RTU frames wrapped by a Solarman logger (V5) with this
 *   serial number; the port may be left out
 * - `serial:///dev/ttyUSB0?baud=2400`: a serial port for protocols with frames of their own
 * - `serial-tcp://192.168.1.21:8899`: the same through a gateway that passes bytes on
 * - `hid:///dev/hidraw0`: a USB HID device that carries such frames in its reports
 * - `http://192.168.1.30`: hardware that answers HTTP requests with JSON; the port may be left out
 */
export type BusAddress =
  | {
      readonly transport: 'modbus-tcp' | 'modbus-rtu-tcp' | 'modbus-udp' | 'serial-tcp' | 'http';
      readonly host: string;
      readonly port: number;
    }
  | { readonly transport: 'solarman'; readonly host: string; readonly port: number; readonly logger: number }
  | ({ readonly transport: 'modbus-rtu' | 'serial'; readonly path: string } & SerialLine)
  | { readonly transport: 'hid'; readonly path: string };

export type Transport = BusAddress['transport'];

/** How a serial port is to be set; what is left out is the driver family's usual. */
export interface SerialLine {
  readonly baudRate?: number;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly stopBits?: 1 | 2;
}

/** The text is not an address of a bus; the message gives the reason and does not repeat the text. */
export class BadAddress extends Error {
  override readonly name = 'BadAddress';
}

/** The parts that an address of each transport may have; `port` is the default port. */
const TRANSPORTS: Readonly<Record<Transport, Shape>> = {
  'modbus-tcp': { at: 'host', port: 502, example: 'modbus-tcp://192.168.1.20:502' },
  'modbus-rtu-tcp': { at: 'host', example: 'modbus-rtu-tcp://192.168.1.21:8899' },
  'modbus-udp': { at: 'host', port: 8899, example: 'modbus-udp://192.168.1.23:8899' },
  'serial-tcp': { at: 'host', example: 'serial-tcp://192.168.1.21:8899' },
  solarman: {
    at: 'host',
    port: 8899,
    parameters: ['logger'],
    example: 'solarman://192.168.1.22:8899?logger=2712345678',
  },
  'modbus-rtu': {
    at: 'path',
    parameters: ['baud', 'parity', 'stop'],
    example: 'modbus-rtu:///dev/ttyUSB0?baud=9600',
  },
  serial: {
    at: 'path',
    parameters: ['baud', 'parity', 'stop'],
    example: 'serial:///dev/ttyUSB0?baud=2400',
  },
  hid: { at: 'path', example: 'hid:///dev/hidraw0' },
  http: { at: 'host', port: 80, example: 'http://192.168.1.30' },
};

interface Shape {
  readonly at: 'host' | 'path';
  readonly port?: number;
  readonly parameters?: readonly string[];
  readonly example: string;
}

const HOST_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;
const WINDOWS_PORT = /^\/(COM\d{1,3})$/i;

const MIN_BAUD = 110;
const MAX_BAUD = 4_000_000;
const MAX_LOGGER = 0xffff_ffff;

/**
 * Reads an address strictly: a part that was ignored would hide a mistake.
 *
 * @throws BadAddress
 */
export function parseBusAddress(text: string): BusAddress {
  const transport = /^([a-z-]+):\/\//.exec(text)?.[1] ?? '';
  if (!isTransport(transport)) {
    throw new BadAddress(
      `the address does not begin with one of ${Object.keys(TRANSPORTS).join(', ')} and "://"`,
    );
  }
  const shape = TRANSPORTS[transport];
  const refuse = (reason: string): never => {
    throw new BadAddress(`the address ${reason}; one reads like ${shape.example}`);
  };
  // Anything outside visible ASCII is either taken out or rewritten by URL, without a word.
  if (!/^[!-~]+$/.test(text)) refuse('has a space or a character that has to be written with "%"');
  const url = URL.canParse(text) ? new URL(text) : refuse('has a host or a port that cannot be');
  if (url.username !== '' || url.password !== '') refuse('names a user, which no connection has');
  if (text.includes('#')) refuse('has a "#"');
  const parameters = parametersOf(url, shape, refuse);
  if (shape.at === 'path') return pathAddress(transport, pathOf(url, refuse), parameters, refuse);

  const host = hostOf(url, refuse);
  const port = url.port === '' ? (shape.port ?? refuse('names no port')) : Number(url.port);
  if (port === 0) refuse('has port 0');
  if (transport !== 'solarman') return { transport, host, port } as BusAddress;
  const logger = numberOf(
    parameters.get('logger') ?? refuse('does not tell the serial number of the logger'),
  );
  if (!(logger >= 1 && logger <= MAX_LOGGER)) refuse(`has a logger outside 1 to ${MAX_LOGGER}`);
  return { transport, host, port, logger };
}

/** The one way in which an address is written; two addresses of the same thing are the same text. */
export function canonicalAddress(address: BusAddress): string {
  const { transport } = address;
  if ('host' in address) {
    const host = isIPv6(address.host) ? `[${address.host}]` : address.host;
    const logger = address.transport === 'solarman' ? `?logger=${address.logger}` : '';
    return `${transport}://${host}:${address.port}${logger}`;
  }
  const path = encodeURI(address.path).replaceAll('?', '%3F').replaceAll('#', '%23');
  const { baudRate, parity, stopBits }: SerialLine = address.transport === 'hid' ? {} : address;
  const parameters = Object.entries({ baud: baudRate, parity, stop: stopBits })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${transport}://${path.startsWith('/') ? '' : '/'}${path}${query}`;
}

type Refuse = (reason: string) => never;

function isTransport(text: string): text is Transport {
  return Object.hasOwn(TRANSPORTS, text);
}

function parametersOf(url: URL, { parameters = [] }: Shape, refuse: Refuse): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!parameters.includes(name)) refuse(`has an unknown parameter "${name}"`);
    if (found.has(name)) refuse(`has "${name}" twice`);
    found.set(name, value);
  }
  return found;
}

function hostOf(url: URL, refuse: Refuse): string {
  if (url.pathname !== '' && url.pathname !== '/') refuse('has more after the port');
  const host = url.hostname.toLowerCase();
  if (host === '') refuse('names no host');
  if (host.startsWith('[')) return host.slice(1, -1);
  return HOST_NAME.test(host) && !host.includes('..') ? host : refuse('has a host that cannot be');
}

function pathOf(url: URL, refuse: Refuse): string {
  if (url.host !== '') refuse('names a host before its path, which begins with a third slash');
  if (url.pathname === '' || url.pathname.endsWith('/')) refuse('names no device file');
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return refuse('has a "%" that stands for no character');
  }
  if (path.includes('\0')) refuse('has a path that cannot be');
  return WINDOWS_PORT.exec(path)?.[1]?.toUpperCase() ?? path;
}

function pathAddress(
  transport: Transport,
  path: string,
  parameters: ReadonlyMap<string, string>,
  refuse: Refuse,
): BusAddress {
  const baud = parameters.get('baud');
  const parity = parameters.get('parity');
  const stop = parameters.get('stop');
  const baudRate = numberOf(baud ?? String(MIN_BAUD));
  if (!(baudRate >= MIN_BAUD && baudRate <= MAX_BAUD))
    refuse(`has a baud outside ${MIN_BAUD} to ${MAX_BAUD}`);
  if (parity !== undefined && parity !== 'none' && parity !== 'even' && parity !== 'odd') {
    return refuse('has a parity other than none, even and odd');
  }
  if (stop !== undefined && stop !== '1' && stop !== '2') refuse('has stop bits other than 1 and 2');
  return {
    transport,
    path,
    ...(baud === undefined ? {} : { baudRate }),
    ...(parity === undefined ? {} : { parity }),
    ...(stop === undefined ? {} : { stopBits: stop === '1' ? 1 : 2 }),
  } as BusAddress;
}

/** Decimal digits alone: `1e3` and `0x10` are numbers too, and mistakes here. */
function numberOf(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
