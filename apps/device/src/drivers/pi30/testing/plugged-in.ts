import type { Duplex } from 'node:stream';
import { simulatedHome } from '@heliograph/dev-env/plant';
import { type Pi30Options, pi30Line } from '@heliograph/dev-env/plant/pi30';
import {
  type Attach,
  type LineFault,
  LineFaults,
  type ServedLine,
  serveLine,
} from '@heliograph/dev-env/serial';
import { type Clock, ManualClock, systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import type { ByteBus } from '../../../bus/byte-bus.ts';
import { openByteBus } from '../../../bus/open-bus.ts';
import type { Hardware } from '../../driver.ts';
import { PACE, type Pace } from '../../voltronic/line.ts';
import { openPi30, pi30 } from '../family.ts';
import { frameOf } from '../frame.ts';

export const NOON = Date.UTC(2026, 5, 21, 12);
export const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

/** Timeout of an answer: long enough for a busy machine, short enough for tests without an answer. */
export const NO_ANSWER_MS = 500;
const FAST: Pace = {
  ...PACE,
  gapMs: 0,
  restMs: 110,
  answerTimeoutMs: NO_ANSWER_MS,
  writeTimeoutMs: NO_ANSWER_MS,
  readBackPauseMs: 1,
};

/** The bus keeps the silence between frames that the speed asks for. */
export const FAST_LINE = { ...pi30.line, baudRate: 115_200 };

/** The same device; `act` is called with every command, before the device receives it. */
export function observed(device: Attach, act: (command: string) => void): Attach {
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

export async function plugIn(device: Attach): Promise<PluggedIn> {
  const faults = new LineFaults();
  let onCommand = (_command: string): void => {};
  const server = await serveLine(faults.between(observed(device, (command) => onCommand(command))));
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

/** The simulated home's inverter. */
export function simulated(options: Pi30Options = {}, nowMs = NOON): Attach {
  return pi30Line(simulatedHome(new ManualClock(nowMs)), options);
}

/** An inverter with these answers, which refuses all other commands. */
export function scripted(answers: Readonly<Record<string, string | Buffer>>): Attach {
  return (line: Duplex) => {
    const onData = (request: Buffer): void => {
      const answer = answers[commandIn(request)] ?? 'NAK';
      line.write(typeof answer === 'string' ? frameOf(`(${answer}`) : answer);
    };
    line.on('data', onData);
    return () => {
      line.off('data', onData);
    };
  };
}

function commandIn(request: Buffer): string {
  return request.subarray(0, -3).toString('latin1');
}

export function open(
  { bus }: Pick<PluggedIn, 'bus'>,
  options: Record<string, unknown> = {},
  clock: Clock = systemClock,
): Promise<Hardware> {
  return openPi30(bus, { unit: undefined, options }, { pace: FAST, clock });
}

export async function read(hardware: Hardware, unit = 0): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}
