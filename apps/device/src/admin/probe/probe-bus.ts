import type { Clock } from '@heliograph/kit';
import type { BusAddress } from '../../bus/address.ts';
import type { DriverFamily, Target } from '../../drivers/driver.ts';
import { type Attempt, lineOf } from './attempts.ts';
import { distinctFindings } from './distinct-findings.ts';
import { Knocker, type KnockTimes } from './knock.ts';
import { type Recognised, type RecognitionTimes, recognise, SILENT } from './recognise.ts';

/** Hardware that answered, and how to connect to it. */
export interface Finding extends Recognised {
  readonly family: DriverFamily;
  readonly address: BusAddress;
  readonly target: Target;
}

export interface ProbeReport {
  readonly findings: readonly Finding[];
  /** Why nothing more was found, in plain words. */
  readonly notes: readonly string[];
}

export interface ProbeTimes extends RecognitionTimes {
  /** Of the first round, where there is much to try. */
  readonly knock: KnockTimes;
}

/** Follows a probe, and ends it. */
export interface ProbeWatch {
  /** Ends the probe at once when it aborts; the report has the findings until then. */
  readonly signal?: AbortSignal;
  /** Called before something is tried. */
  readonly onTry?: (attempt: Attempt, target: Target) => void;
}

export const PROBE_TIMES: ProbeTimes = {
  answerMs: 1_000,
  silenceMs: 1_500,
  recognitionMs: 8_000,
  knock: { silenceMs: 200, answerMs: 400, lateMs: 1_000, unaskedMs: 1_200 },
};

/**
 * Tries one thing after the other at one address, as a bus has it. Nothing is written: families recognise their
 * hardware by reading alone.
 *
 * Where there is much to try, it knocks in a hurry, and has patience with what answers, and with everything that a late
 * answer may belong to.
 */
export async function probeBus(
  attempts: readonly Attempt[],
  clock: Clock,
  times: ProbeTimes = PROBE_TIMES,
  watch: ProbeWatch = {},
): Promise<ProbeReport> {
  const search = new Search(clock, times, watch);
  const tries = attempts.flatMap((attempt) => attempt.targets.map((target) => ({ attempt, target })));
  await (silencesIn(tries) > FEW_SILENCES ? search.knockAtAll(tries) : search.tryAll(tries));
  return search.report;
}

/** A probe that as few requests without an answer end has patience at once. */
const FEW_SILENCES = 4;

/** How many requests stay without an answer where all is silent. */
function silencesIn(tries: readonly Try[]): number {
  const silences = new Silences();
  return tries.filter(({ attempt, target }) => {
    if (silences.areEnough(attempt, target)) return false;
    silences.add(attempt, target);
    return true;
  }).length;
}

/** After as much noise it is found out at the latest whether it comes unasked; later noise is not listened to again. */
const NOISES = 4;

const SENDS_BY_ITSELF =
  'something there sends by itself what no driver understands: other hardware, or at another speed';

interface Try {
  readonly attempt: Attempt;
  readonly target: Target;
}

class Search {
  readonly #clock: Clock;
  readonly #times: ProbeTimes;
  readonly #watch: ProbeWatch;
  readonly #findings: Finding[] = [];
  readonly #notes = new Set<string>();
  #unreachable: string | undefined;

  constructor(clock: Clock, times: ProbeTimes, watch: ProbeWatch) {
    this.#clock = clock;
    this.#times = times;
    this.#watch = watch;
  }

  get report(): ProbeReport {
    const notes = this.#unreachable === undefined ? [...this.#notes] : [this.#unreachable];
    return { findings: withUnits(this.#findings), notes };
  }

  async knockAtAll(tries: readonly Try[]): Promise<void> {
    const knocker = new Knocker(this.#clock, this.#times.knock);
    try {
      await this.#knockAtAll(tries, knocker);
    } finally {
      await knocker.release();
    }
  }

  async #knockAtAll(tries: readonly Try[], knocker: Knocker): Promise<void> {
    const { signal, onTry } = this.#watch;
    const silences = new Silences();
    const unanswered = new Unanswered();
    let isSending = false;
    for (const one of tries) {
      const { attempt, target } = one;
      if (this.#hasEnded) return;
      if (this.#isExcluded(attempt)) continue;
      if ((isSending && !speaksByItself(attempt)) || silences.areEnough(attempt, target)) {
        this.#noteSilence(attempt);
        continue;
      }
      onTry?.(attempt, target);
      if (isSending) {
        await this.#try(one, silences);
        continue;
      }
      const silenceMs = this.#patienceMs(one, one === tries.at(-1));
      const knock = await knocker.knock(attempt, target, { silenceMs, signal });
      if (knock.is === 'unreachable') this.#unreachable = knock.reason;
      else if (knock.is === 'answered') {
        await knocker.release();
        await this.#try(one, silences);
      } else {
        silences.add(attempt, target);
        this.#noteSilence(attempt);
        unanswered.add(one, knock.is === 'noise');
        if (!unanswered.mayBeLate) continue;
        isSending = unanswered.noises <= NOISES && (await knocker.receivesUnasked(attempt, signal));
        if (isSending) this.#notes.add(SENDS_BY_ITSELF);
        else await this.#havePatience(unanswered, knocker);
      }
    }
    if (!isSending) await this.#havePatience(unanswered, knocker);
  }

  async #havePatience(unanswered: Unanswered, knocker: Knocker): Promise<void> {
    await knocker.release();
    await this.tryAll(unanswered.takeBeforeNoise());
  }

  /** While the last one is waited for, answers to those before it may come. */
  #patienceMs({ attempt }: Try, isLast: boolean): number {
    const { knock, answerMs, silenceMs } = this.#times;
    if (speaksByItself(attempt)) return silenceMs;
    return isLast ? answerMs : knock.silenceMs;
  }

  async tryAll(tries: readonly Try[]): Promise<void> {
    const { onTry } = this.#watch;
    const silences = new Silences();
    for (const one of tries) {
      const { attempt, target } = one;
      if (this.#hasEnded) return;
      if (this.#isExcluded(attempt)) continue;
      if (silences.areEnough(attempt, target)) {
        this.#noteSilence(attempt);
        continue;
      }
      onTry?.(attempt, target);
      await this.#try(one, silences);
    }
  }

  async #try(one: Try, silences: Silences): Promise<void> {
    const { attempt, target } = one;
    const { family, address } = attempt;
    const options = { clock: this.#clock, times: this.#times, signal: this.#watch.signal };
    const outcome = await recognise(attempt, target, options);
    if ('hardware' in outcome) this.#findings.push({ family, address, target, ...outcome });
    else if (outcome.unreachable) this.#unreachable = outcome.reason;
    else {
      if (outcome.isSilent) silences.add(attempt, target);
      this.#notes.add(`${family.name}: ${outcome.reason}`);
    }
  }

  get #hasEnded(): boolean {
    return this.#unreachable !== undefined || (this.#watch.signal?.aborted ?? false);
  }

  #isExcluded(attempt: Attempt): boolean {
    return this.#findings.some((found) => excludes(found, attempt));
  }

  #noteSilence({ family }: Attempt): void {
    this.#notes.add(`${family.name}: ${SILENT}`);
  }
}

/** Tries in a hurry that got no answer, since earlier ones were repeated with patience. */
class Unanswered {
  #tries: Try[] = [];
  #hasSilence = false;
  #isNoise = false;
  #triesBeforeNoise = 0;
  /** In all. */
  noises = 0;

  add(one: Try, isNoise: boolean): void {
    this.#tries.push(one);
    this.#isNoise = isNoise;
    if (isNoise) {
      this.noises += 1;
      this.#triesBeforeNoise = this.#tries.length;
    } else this.#hasSilence = true;
  }

  /** Whether the noise of the last one may be a late answer; what answers each request at once with noise is none. */
  get mayBeLate(): boolean {
    return this.#isNoise && (this.#hasSilence || this.noises >= NOISES);
  }

  /** Those that noise may be the answer of. */
  takeBeforeNoise(): readonly Try[] {
    const taken = this.#tries.slice(0, this.#triesBeforeNoise);
    this.#tries = [];
    this.#triesBeforeNoise = 0;
    this.#hasSilence = false;
    return taken;
  }
}

function speaksByItself({ family }: Attempt): boolean {
  return family.probe?.speaksByItself ?? false;
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
