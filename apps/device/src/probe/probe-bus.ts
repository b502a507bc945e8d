import { type Clock, messageOf } from '@heliograph/kit';
import type { BusAddress } from '../bus/address.ts';
import type { Bus } from '../bus/bus.ts';
import { LinkDown } from '../bus/failures.ts';
import { openByteBus, openJsonBus, openModbusBus } from '../bus/open-bus.ts';
import type { DriverFamily, Hardware, Target } from '../drivers/driver.ts';
import type { Attempt } from './attempts.ts';
import { distinctFindings } from './distinct-findings.ts';

/** Hardware that answered, and how to connect to it. */
export interface Finding {
  readonly family: DriverFamily;
  readonly address: BusAddress;
  readonly target: Target;
  readonly hardware: Pick<Hardware, 'units'>;
  /** By unit; null where it reports none. */
  readonly serialNumbers: readonly (string | null)[];
}

export interface ProbeReport {
  readonly findings: readonly Finding[];
  /** Why nothing more was found, in plain words. */
  readonly notes: readonly string[];
}

export interface ProbeTimes {
  /** How long a Modbus answer may take, in milliseconds: hardware that is there answers within a second. */
  readonly answerMs: number;
  /** How long hardware that speaks in frames of its own may say nothing at all: some of it speaks once a second. */
  readonly silenceMs: number;
  /** How long hardware may take to be recognised, in milliseconds. */
  readonly recognitionMs: number;
}

/** Follows a probe, and ends it. */
export interface ProbeWatch {
  /** Ends the probe at once when it aborts; the report has the findings until then. */
  readonly signal?: AbortSignal;
  /** Called before something is tried. */
  readonly onTry?: (attempt: Attempt, target: Target) => void;
}

export const PROBE_TIMES: ProbeTimes = { answerMs: 1_000, silenceMs: 1_500, recognitionMs: 8_000 };

/**
 * Tries one thing after the other at one address, as a bus has it. Nothing is written: families recognise their
 * hardware by reading alone.
 */
export async function probeBus(
  attempts: readonly Attempt[],
  clock: Clock,
  times: ProbeTimes = PROBE_TIMES,
  { signal, onTry }: ProbeWatch = {},
): Promise<ProbeReport> {
  const findings: Finding[] = [];
  const notes = new Set<string>();
  const silences = new Silences();
  for (const attempt of attempts) {
    const { family, address, targets } = attempt;
    if (findings.some((found) => excludes(found, attempt))) continue;
    for (const target of targets) {
      if (signal?.aborted) return { findings: withUnits(findings), notes: [...notes] };
      if (silences.areEnough(attempt, target)) {
        notes.add(`${family.name}: ${SILENT}`);
        continue;
      }
      onTry?.(attempt, target);
      const outcome = await tryTarget(family, address, target, { clock, times, signal });
      if ('hardware' in outcome) findings.push({ family, address, target, ...outcome });
      else if (outcome.unreachable) return { findings: withUnits(findings), notes: [outcome.reason] };
      else {
        if (outcome.isSilent) silences.add(attempt, target);
        notes.add(`${family.name}: ${outcome.reason}`);
      }
    }
  }
  return { findings: withUnits(findings), notes: [...notes] };
}

/** Modbus hardware refuses what it does not know; a few units keep silent about foreign registers. */
const SILENCES_OF_A_UNIT = 2;

/** How often each Modbus unit of a line has kept silent: one that is not there keeps silent to every family. */
class Silences {
  readonly #counts = new Map<string, number>();

  add(attempt: Attempt, target: Target): void {
    const place = placeOf(attempt, target);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  areEnough(attempt: Attempt, target: Target): boolean {
    if (attempt.family.speaks !== 'modbus') return false;
    return (this.#counts.get(placeOf(attempt, target)) ?? 0) >= SILENCES_OF_A_UNIT;
  }
}

function placeOf({ family, address }: Attempt, { unit }: Target): string {
  return `${lineOf(address)} ${unit ?? family.usualUnit}`;
}

/** A configuration takes several connections of one bus only where each names its unit. */
function withUnits(all: readonly Finding[]): readonly Finding[] {
  const findings = distinctFindings(all);
  if (findings.length < 2) return findings;
  return findings.map((finding) => {
    const { family, target } = finding;
    const unit = target.unit ?? family.usualUnit;
    return { ...finding, target: { ...target, unit } };
  });
}

/** A line speaks at one speed, and in one protocol unless that is Modbus: a finding settles which. */
function excludes(found: Finding, { family, address }: Attempt): boolean {
  if (lineOf(found.address) !== lineOf(address)) return true;
  return found.family !== family && found.family.speaks === 'bytes';
}

interface Trying {
  readonly clock: Clock;
  readonly times: ProbeTimes;
  readonly signal: AbortSignal | undefined;
}

type Outcome = Pick<Finding, 'hardware' | 'serialNumbers'> | Failure;

interface Failure {
  readonly reason: string;
  /** Whether the port or the host is not there. */
  readonly unreachable: boolean;
  /** Whether no request was answered. */
  readonly isSilent: boolean;
}

/** Hardware may still hold bytes meant for another family, and refuse them together with the first request. */
async function tryTarget(...args: Parameters<typeof tryOnce>): Promise<Outcome> {
  const outcome = await tryOnce(...args);
  const answered = !('hardware' in outcome) && outcome.reason !== SILENT;
  const [family, , , { signal }] = args;
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

const SILENT = 'no answer';

async function tryOnce(
  family: DriverFamily,
  address: BusAddress,
  target: Target,
  { clock, times, signal }: Trying,
): Promise<Outcome> {
  const { recognitionMs } = times;
  const { bus, opening } = open(family, address, target, clock, times);
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(new LinkDown(`not recognised within ${recognitionMs} ms`)),
    recognitionMs,
  );
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
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    await bus.close();
    await opening.catch(() => undefined);
  }
}

function open(
  family: DriverFamily,
  address: BusAddress,
  target: Target,
  clock: Clock,
  { answerMs, silenceMs }: ProbeTimes,
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

function lineOf(address: BusAddress): string {
  return 'baudRate' in address
    ? JSON.stringify([address.baudRate, address.parity, address.stopBits])
    : address.transport;
}
