import { type Clock, ConfigError } from '@heliograph/kit';
import { type BusAddress, canonicalAddress, type SerialLine } from './address.ts';
import type { SendOptions, Traffic } from './bus.ts';
import type { ByteBus, FrameRule } from './byte-bus.ts';
import type { Dial } from './connection-queue.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { FrameLink } from './frame-link.ts';
import { HttpLink } from './json/http-link.ts';
import type { JsonBus } from './json/json-bus.ts';
import { JsonClient } from './json/json-client.ts';
import { dialTcp } from './lines/dial-tcp.ts';
import { type LineTimes, openLine } from './lines/line.ts';
import type { ModbusFraming } from './modbus/framing/framing.ts';
import { rtuFraming } from './modbus/framing/rtu.ts';
import { solarmanFraming } from './modbus/framing/solarman.ts';
import { tcpFraming } from './modbus/framing/tcp.ts';
import type { ModbusBus } from './modbus/modbus-bus.ts';
import { ModbusClient, ModbusLink } from './modbus/modbus-client.ts';

const PEER_NAME = 'the hardware';

/** A line of bytes on which one thing happens at a time. */
class ByteClient implements ByteBus {
  readonly #queue: ConnectionQueue<FrameLink>;
  readonly #answerTimeoutMs: number | undefined;

  /** @param answerTimeoutMs how long an answer may take, in milliseconds; what its rule allows when left out */
  constructor(name: string, dial: Dial<FrameLink>, clock: Clock, answerTimeoutMs?: number) {
    this.#queue = new ConnectionQueue(name, dial, clock);
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  get name(): string {
    return this.#queue.name;
  }

  get traffic(): Traffic {
    return this.#queue.traffic;
  }

  get roundTripMs(): number | null {
    return this.#queue.roundTripMs;
  }

  get closesAfterAnswers(): boolean {
    return this.#queue.closesAfterAnswers;
  }

  read(request: Uint8Array, rule: FrameRule): Promise<Uint8Array> {
    const answer = this.#answerRule(rule);
    return this.#queue.read((link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate));
  }

  write(request: Uint8Array, rule: FrameRule, options?: SendOptions): Promise<Uint8Array> {
    const answer = this.#answerRule(rule);
    return this.#queue.write(
      (link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate),
      options,
    );
  }

  listen(frame: FrameRule): Promise<Uint8Array> {
    return this.#queue.read((link, gate) => link.listen(frame, gate));
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #answerRule(rule: FrameRule): FrameRule {
    const timeoutMs = this.#answerTimeoutMs;
    return timeoutMs === undefined ? rule : { ...rule, timeoutMs };
  }
}

export interface BusTimes extends LineTimes {
  /** How long an answer may take, in milliseconds; what the bus or the driver usually gives it when left out. */
  readonly answerTimeoutMs?: number;
}

/** Long enough for an inverter that answers once a second, short enough for a write to be answered in ten. */
const REQUEST_TIMEOUT_MS = 2_000;
/** A logger asks the inverter itself, and sends to its maker's cloud in between. */
const SOLARMAN_TIMEOUT_MS = 4_000;

/**
 * A bus for Modbus; nothing is dialled before the first request.
 *
 * @param line how a serial port is set where the address does not say
 * @throws ConfigError when the address is not one that carries Modbus
 */
export function openModbusBus(
  address: BusAddress,
  line: Required<SerialLine>,
  clock: Clock,
  times: BusTimes = {},
): ModbusBus {
  const timeoutMs =
    times.answerTimeoutMs ?? (address.transport === 'solarman' ? SOLARMAN_TIMEOUT_MS : REQUEST_TIMEOUT_MS);
  const framing = framingOf(address);
  const dialFrames = openLine(address, line, times);
  const dial: Dial<ModbusLink> = async (closing, traffic) =>
    new ModbusLink(await dialFrames(closing, traffic), framing, timeoutMs);
  return new ModbusClient(canonicalAddress(address), dial, clock);
}

/**
 * A bus for protocols with frames of their own; nothing is opened before the first request.
 *
 * @param line how a serial port is set where the address does not say
 * @throws ConfigError when the address is not one that carries bytes
 */
export function openByteBus(
  address: BusAddress,
  line: Required<SerialLine>,
  clock: Clock,
  times: BusTimes = {},
): ByteBus {
  const { transport } = address;
  if (transport !== 'serial' && transport !== 'serial-tcp' && transport !== 'hid') {
    throw new ConfigError(`${transport} does not carry frames of bytes`);
  }
  const dial = openLine(address, line, times);
  return new ByteClient(canonicalAddress(address), dial, clock, times.answerTimeoutMs);
}

/**
 * A bus for hardware that answers HTTP requests; nothing is dialled before the first one.
 *
 * @throws ConfigError when the address is not one of HTTP
 */
export function openJsonBus(address: BusAddress, clock: Clock, times: BusTimes = {}): JsonBus {
  if (address.transport !== 'http') throw new ConfigError(`${address.transport} does not carry HTTP`);
  const { answerTimeoutMs = REQUEST_TIMEOUT_MS, ...place } = { ...times, ...address };
  const name = canonicalAddress(address);
  const { host } = new URL(name);
  const dial: Dial<HttpLink> = async (closing, traffic) =>
    new HttpLink(await dialTcp(place, closing), host, answerTimeoutMs, traffic);
  return new JsonClient(name, dial, clock);
}

/** @throws ConfigError */
function framingOf(address: BusAddress): ModbusFraming {
  switch (address.transport) {
    case 'modbus-tcp':
      return tcpFraming();
    case 'modbus-rtu':
    case 'modbus-rtu-tcp':
    case 'modbus-udp':
      return rtuFraming;
    case 'solarman':
      return solarmanFraming(address.logger);
    default:
      throw new ConfigError(`${address.transport} does not carry Modbus`);
  }
}
