import { connect } from 'node:net';
import { localAddress } from '../local-address.ts';
import { ageOf } from './clock.ts';
import { PROTOCOLS, type ProtocolName } from './protocols.ts';

/** Clients that read what one device sends. */
export interface ReadersOrder {
  readonly host: string;
  readonly port: number;
  readonly protocol: ProtocolName;
  readonly count: number;
  /** First bytes of a client, one character per byte. */
  readonly hello: string;
  /** They read nothing; so many seconds long they ask for everything once a second, then they only beat. */
  readonly stalledS?: number;
}

/** Measurements of the readers since the last report. */
export interface ReadersReport {
  /** From the device's reading to the client, in milliseconds, of each value that each client got. */
  readonly delaysMs: readonly number[];
  /** Bytes of the newest message that carried the clock. */
  readonly messageBytes: number;
  readonly message: string;
  /** Connections that ended. */
  readonly lost: number;
}

/** How many connect at a time. */
const CONNECTING = 50;
const CLOCK = /"topic":"inverter_1\/ac_output_power","value":(\d+)/;
const CLOCK_START = Buffer.from('"topic":"inverter_1/ac_output_power","value":');
const CLOCK_BYTES = CLOCK_START.length + 6;

let delaysMs: number[] = [];
let message: Buffer = Buffer.alloc(0);
let lost = 0;

process.on('message', async (order: ReadersOrder | 'report') => {
  if (order === 'report') {
    const report = { delaysMs, messageBytes: message.length, message: message.toString(), lost };
    delaysMs = [];
    process.send?.(report satisfies ReadersReport);
    return;
  }
  let next = 0;
  const connector = async (): Promise<void> => {
    while (next < order.count) await open(order, localAddress(next++));
  };
  await Promise.all(Array.from({ length: CONNECTING }, connector));
  process.send?.('connected');
});
process.once('disconnect', () => process.kill(process.pid));

/** Raw sockets: a WebSocket library would spend more on a message than the proxy does. */
async function open({ host, port, protocol, hello, stalledS }: ReadersOrder, address: string): Promise<void> {
  const { request, beat, readMessages } = PROTOCOLS[protocol];
  const socket = connect({ host, port, localAddress: address });
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('close', () => lost++);
  socket.write(hello, 'latin1');
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  if (answer.toString('latin1', 0, 8) === 'HTTP/1.1' && answer.toString('latin1', 9, 12) !== '101') {
    throw new Error(`a reader is answered ${answer.toString('latin1', 9, 400)}`);
  }
  socket.write(request);
  if (stalledS !== undefined) {
    socket.pause();
    let seconds = 0;
    setInterval(() => socket.write(seconds++ < stalledS ? request : beat), 1_000);
    return;
  }
  const onMessage = clockReader();
  const read = readMessages(socket, onMessage);
  socket.on('data', read);
}

/** Repeated values have an old clock: only a value that is new to the client counts. */
function clockReader(): (text: Buffer) => void {
  let last = '';
  return (text) => {
    const start = text.indexOf(CLOCK_START);
    if (start < 0) return;
    const value = CLOCK.exec(text.toString('latin1', start, start + CLOCK_BYTES))?.[1] ?? '';
    if (value === last) return;
    if (last !== '') delaysMs.push(ageOf(Number(value)));
    last = value;
    message = text;
  };
}
