import { type Clock, messageOf } from '@heliograph/kit';
import type { Bus } from '../../bus/bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus, openJsonBus, openModbusBus } from '../../bus/open-bus.ts';
import type { Hardware, Target } from '../../drivers/driver.ts';
import type { Attempt } from './attempts.ts';

export interface RecognitionTimes {
  /** How long a Modbus answer may take, in milliseconds: hardware that is there answers within a second. */
  readonly answerMs: number;
  /** How long hardware that speaks in frames of its own may say nothing at all: some of it speaks once a second. */
  readonly silenceMs: number;
  /** How long hardware may take from one answer to the next until it is recognised, in milliseconds. */
  readonly recognitionMs: number;
}

export interface RecognitionOptions {
  readonly clock: Clock;
  readonly times: RecognitionTimes;
  readonly signal: AbortSignal | undefined;
}

export interface Recognised {
  readonly hardware: Pick<Hardware, 'units'>;
  /** By unit; null where it reports none. */
  readonly serialNumbers: readonly (string | null)[];
}

export interface NotFound {
  /** In plain words. */
  readonly reason: string;
  /** Whether the port or the host is not there. */
  readonly unreachable: boolean;
  /** Whether no request was answered. */
  readonly isSilent: boolean;
}

export const SILENT = 'no answer';

/**
 * Recognises hardware by reading alone.
 *
 * It is tried twice where it may still hold bytes meant for another family, and refuse them together with the first request.
 */
export async function recognise(...args: Parameters<typeof tryOnce>): Promise<Recognised | NotFound> {
  const outcome = await tryOnce(...args);
  const answered = !('hardware' in outcome) && outcome.reason !== SILENT;
  const [{ family }, , { signal }] = args;
  if (signal?.aborted) return outcome;
  return answered && !outcome.unreachable && family.speaks === 'bytes' ? tryOnce(...args) : outcome;
}

const SERIAL_NUMBER = 'Serial number';

/** By unit, from one poll; unknown where it fails or takes too long. */
async function serialNumbersOf(
  hardware: Hardware,
  tooLate: Promise<never>,
): Promise<readonly (string | null)[]> {
  const readings = await Promise.race([hardware.poll(), tooLate]).catch((error: unknown) => {
    if (error instanceof LinkDown) return [];
    throw error;
  });
  return hardware.units.map((_unit, index) => {
    const serial = readings[index]?.get(SERIAL_NUMBER) ?? null;
    return serial === null ? null : String(serial);
  });
}

async function tryOnce(
  attempt: Attempt,
  target: Target,
  { clock, times, signal }: RecognitionOptions,
): Promise<Recognised | NotFound> {
  const { recognitionMs } = times;
  const { bus, opening } = open(attempt, target, clock, times);
  const tooLate = Promise.withResolvers<never>();
  let answered = 0;
  // A slow inverter that answers one query after the other is on its way.
  const timer = setInterval(() => {
    const isOnItsWay = bus.traffic.answered > answered;
    ({ answered } = bus.traffic);
    if (!isOnItsWay) tooLate.reject(new LinkDown(`not recognised within ${recognitionMs} ms`));
  }, recognitionMs);
  const giveUp = (): void => tooLate.reject(new LinkDown('given up'));
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const hardware = await Promise.race([opening, tooLate.promise]);
    return { hardware, serialNumbers: await serialNumbersOf(hardware, tooLate.promise) };
  } catch (error) {
    if (!(error instanceof LinkDown)) {
      return { reason: messageOf(error), unreachable: false, isSilent: false };
    }
    // Nothing ever went over it: the port or the host is not there, whatever else would be tried.
    const unreachable = bus.traffic.requests === 0 && bus.traffic.dropped === 0;
    return {
      reason: unreachable ? error.message : SILENT,
      unreachable,
      isSilent: bus.traffic.answered === 0,
    };
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', giveUp);
    await bus.close();
    await opening.catch(() => undefined);
  }
}

function open(
  { family, address }: Attempt,
  target: Target,
  clock: Clock,
  { answerMs, silenceMs }: RecognitionTimes,
): { readonly bus: Bus; readonly opening: Promise<Hardware> } {
  switch (family.speaks) {
    case 'modbus': {
      const slow = address.transport === 'solarman';
      const bus = openModbusBus(address, family.line, clock, slow ? {} : { answerTimeoutMs: answerMs });
      return { bus, opening: family.open(bus, target) };
    }
    case 'bytes': {
      const bus = openByteBus(address, family.line, clock, { silenceMs });
      return { bus, opening: family.open(bus, target) };
    }
    case 'json': {
      const bus = openJsonBus(address, clock, { answerTimeoutMs: answerMs });
      return { bus, opening: family.open(bus, target) };
    }
  }
}
