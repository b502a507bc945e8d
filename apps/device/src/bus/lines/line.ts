import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { Duplex } from 'node:stream';
import type { BusAddress, SerialLine } from '../address.ts';
import type { Dial } from '../connection-queue.ts';
import { FrameLink } from '../frame-link.ts';
import { LateAnswers } from '../late-answers.ts';
import { dialTcp } from './dial-tcp.ts';
import { openHidDevice } from './hid-device.ts';
import { characterMs, openSerialPort } from './serial-port.ts';

/** The Wi-Fi module of GoodWe puts it before every answer. Source: marcelblijleven/goodwe. */
const ANSWER_START = Buffer.from([0xaa, 0x55]);

/**
 * Opens a line over which each request is one datagram, and each answer another.
 *
 * @throws Error when the host has no address, or the signal aborts
 */
async function dialUdp(host: string, port: number, closing: AbortSignal): Promise<Duplex> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const line = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => socket.send(bytes, done),
    destroy: (error, done) => {
      socket.close(() => done(error));
    },
  });
  socket.on('message', (bytes) => {
    const isMarked = bytes.subarray(0, ANSWER_START.length).equals(ANSWER_START);
    line.push(isMarked ? bytes.subarray(ANSWER_START.length) : bytes);
  });
  // Errors, such as those of a host without this port, are followed by `close`, which the link listens to.
  socket.on('error', () => line.destroy());
  line.on('error', () => undefined);
  socket.connect(port, host);
  try {
    await once(socket, 'connect', { signal: closing });
    return line;
  } catch (error) {
    line.destroy();
    throw error;
  }
}

export interface LineTimes {
  /** How long it may take to connect over a network, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /**
   * How long the line may be silent before an exchange fails, in milliseconds; its whole timeout when left out. Read at
   * every exchange.
   */
  readonly silenceMs?: number;
  /** Requests in a row without an answer after which the line is opened again; as is usual for its kind when left out. */
  readonly maxFailures?: number;
}

/** The silence between two frames on a serial line, and from which speed on it does not get shorter. */
const SILENT_CHARACTERS = 3.5;
const FAST_BAUD = 19_200;
const MIN_SILENCE_MS = 1.75;

/** A network connection that does not answer may have died without a word. */
const NETWORK_FAILURES = 1;
/** A device file stays what it is, unless the device was unplugged without the system noticing. */
const FILE_FAILURES = 3;

/** Opens the line that an address leads to, as often as it is called. */
export function openLine(
  address: BusAddress,
  usual: Required<SerialLine>,
  times: LineTimes = {},
): Dial<FrameLink> {
  const late = new LateAnswers();
  const settings = { ...usual, ...address };
  const { baudRate, parity, stopBits } = settings;
  const line = { baudRate, parity, stopBits };
  const quietMs = isFramed(address) ? 0 : pauseMs(line);
  const { connectTimeoutMs, maxFailures = 'host' in address ? NETWORK_FAILURES : FILE_FAILURES } = times;

  const open = (closing: AbortSignal): Promise<Duplex> => {
    if ('host' in address) {
      const { host, port } = address;
      if (address.transport === 'modbus-udp') return dialUdp(host, port, closing);
      return dialTcp(
        { host, port, ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }) },
        closing,
      );
    }
    return address.transport === 'hid' ? openHidDevice(address.path) : openSerialPort(address.path, line);
  };
  return async (closing, traffic) =>
    new FrameLink(await open(closing), {
      traffic,
      late,
      quietMs,
      maxFailures,
      get silenceMs() {
        return times.silenceMs;
      },
    });
}

/** Whether frames mark their own beginning and end. */
function isFramed({ transport }: BusAddress): boolean {
  return ['modbus-tcp', 'modbus-udp', 'solarman', 'hid'].includes(transport);
}

/** Modbus over Serial Line 1.02, section 2.5.1.1. */
function pauseMs(line: Required<SerialLine>): number {
  return line.baudRate > FAST_BAUD ? MIN_SILENCE_MS : SILENT_CHARACTERS * characterMs(line);
}
