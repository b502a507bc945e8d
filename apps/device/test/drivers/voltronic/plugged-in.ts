import type { Duplex } from 'node:stream';
import { type Attach, type LineFault, LineFaults, type ServedLine, serveLine } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import type { ByteBus } from '../../../src/bus/byte-bus.ts';
import { openByteBus } from '../../../src/bus/open-bus.ts';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { PACE, type Pace } from '../../../src/drivers/voltronic/line.ts';

/** Timeout of an answer: long enough for a busy machine, short enough for tests without an answer. */
export const NO_ANSWER_MS = 500;
export const FAST_PACE: Pace = {
  ...PACE,
  gapMs: 0,
  restMs: 110,
  answerTimeoutMs: NO_ANSWER_MS,
  writeTimeoutMs: NO_ANSWER_MS,
};

/** The bus keeps the silence between frames that the speed asks for. */
export const FAST_LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;

/** The command in the frame of a request. */
export type CommandIn = (request: Buffer) => string;

/** The same device; `act` is called with every command, before the device receives it. */
export function observedLine(device: Attach, commandIn: CommandIn, act: (command: string) => void): Attach {
  return (line) => {
    const onData = (request: Buffer): void => act(commandIn(request));
    line.on('data', onData);
    const detach = device(line);
    return () => {
      line.off('data', onData);
      detach();
    };
  };
}

/** A device that answers each command with what `answerTo` makes of it. */
export function answering(commandIn: CommandIn, answerTo: (command: string) => Uint8Array): Attach {
  return (line: Duplex) => {
    const onData = (request: Buffer): void => void line.write(answerTo(commandIn(request)));
    line.on('data', onData);
    return () => {
      line.off('data', onData);
    };
  };
}

/** An inverter behind a serial server, a line that can be disturbed, and the bus that leads there. */
export interface PluggedIn {
  readonly bus: ByteBus;
  readonly server: ServedLine;
  readonly faults: LineFaults;
  /** The commands that reached the inverter since the last call. */
  takeCommands(): string[];
  /**
   * From the answer to a command on, the line behaves like that, so many times.
   *
   * @param occurrence which of the commands like this, counted from 1
   */
  disturbFrom(command: string, fault: LineFault, times?: number, occurrence?: number): void;
  stop(): Promise<void>;
}

export async function plugInto(device: Attach, commandIn: CommandIn): Promise<PluggedIn> {
  const faults = new LineFaults();
  let onCommand = (_command: string): void => {};
  const observed = observedLine(device, commandIn, (command) => onCommand(command));
  const server = await serveLine(faults.between(observed));
  const { host, port } = server;
  const bus = openByteBus({ transport: 'serial-tcp', host, port }, FAST_LINE, systemClock);
  return {
    bus,
    server,
    faults,
    takeCommands: () => faults.requests.splice(0).map(commandIn),
    disturbFrom: (command, fault, times, occurrence = 1) => {
      let count = 0;
      onCommand = (received) => {
        if (received === command) count += 1;
        if (received === command && count === occurrence) faults.behave(fault, times);
      };
    },
    stop: async () => {
      await bus.close();
      await server.stop();
    },
  };
}

export async function read(hardware: Hardware, unit = 0): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}
