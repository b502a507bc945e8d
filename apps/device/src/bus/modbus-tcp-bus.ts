import { once } from 'node:events';
import { connect } from 'node:net';
import { type Clock, systemClock } from '@heliograph/kit';
import modbusSerial from 'modbus-serial';
import type { ModbusBus } from './modbus-bus.ts';
import type { ModbusLink } from './modbus-link.ts';
import { ModbusSerialLink } from './modbus-serial-link.ts';
import { QueuedBus } from './queued-bus.ts';

const CONNECT_TIMEOUT_MS = 3_000;

/** Long enough for an inverter that answers once a second, short enough for a write to be answered in ten. */
const REQUEST_TIMEOUT_MS = 2_000;

/** How long a connection may be idle before TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

export interface ModbusTcpOptions {
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
}

/** A Modbus TCP connection; nothing is dialled before the first request. */
export function modbusTcpBus(options: ModbusTcpOptions): ModbusBus {
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const name = `tcp://${host}:${options.port}`;
  return new QueuedBus(name, (signal) => dial(options, signal), options.clock ?? systemClock);
}

async function dial(options: ModbusTcpOptions, closing: AbortSignal): Promise<ModbusLink> {
  const {
    host,
    port,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
  } = options;
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  // Every error is followed by `close`, which the link listens to.
  socket.on('error', () => {});
  const tooLate = AbortSignal.timeout(connectTimeoutMs);
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([closing, tooLate]) });
  } catch (error) {
    socket.destroy();
    if (tooLate.aborted) throw new Error(`no connection within ${connectTimeoutMs} ms`, { cause: error });
    throw error;
  }
  const client = new modbusSerial.default();
  await client.linkTCP(socket, { port });
  return new ModbusSerialLink(client, socket, requestTimeoutMs);
}
