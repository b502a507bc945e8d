import { createHash } from 'node:crypto';
import {
  DeviceHistoryAnswer,
  type DeviceHistoryBody,
  MAX_HISTORY_DAYS,
  type SiteNewestValues,
} from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations/internal';
import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { DAY_MS, startOfDay } from '@heliograph/kit/local-time';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { type CloudAccess, callCloud } from '../../common/call-cloud.ts';
import type { CloudProblems } from '../../common/cloud-problems.ts';
import { FailureLog } from '../../common/failure-log.ts';
import type { Registration } from '../../common/registration.ts';
import { isBelievable } from '../../energy/ledger.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { daysBetween, type HistoryReads, historyOfDay, QUARTER_MS } from './history-days.ts';
import { endOfDividedHour, partsAfterMove, type SentPart } from './sent-parts.ts';

const KEY = 'cloud_history';

/** How much of the past the cloud gets once the owner has agreed. */
const BACKLOG_MS = 366 * DAY_MS;

const TIMEOUT_MS = 60_000;

/** No upload comes at the end of a quarter itself: the last reading of it may be under way. */
const SETTLE_MS = 10_000;

const ANSWER = Compile(DeviceHistoryAnswer);

/** The consent that the cloud answered last, and until when it has the history. */
interface Acknowledged {
  readonly agreed_at: string;
  /** The end of a quarter of an hour, in milliseconds since the epoch. */
  readonly until: number;
  /** In order. */
  readonly parts: readonly SentPart[];
}

/** Former versions stored the zone alone, or none. */
const STORED = Compile(
  Type.Object({
    agreed_at: Type.String(),
    until: Type.Integer(),
    zone: Type.Optional(Type.String()),
    parts: Type.Optional(Type.Array(Type.Object({ zone: Type.String(), from: Type.Integer() }))),
  }),
);

export interface CloudHistoryOptions {
  readonly access: CloudAccess;
  readonly problems: CloudProblems;
  readonly registration: Registration;
  readonly reads: HistoryReads;
  /** Null while none of them is known. */
  readonly newest: () => SiteNewestValues | null;
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sends the history of the home to the cloud every quarter of an hour, where its owner agreed to that: what the cloud has not
 * acknowledged, so that nothing is missing after an outage. The cloud replaces what it gets twice.
 */
export class CloudHistory {
  readonly #options: CloudHistoryOptions;
  readonly #failureLog: FailureLog;
  readonly #stopping = new AbortController();
  /** When in a quarter of an hour this device sends, in milliseconds: not all devices at once. */
  readonly #offsetMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: CloudHistoryOptions) {
    this.#options = options;
    const { logger, access } = options;
    this.#failureLog = new FailureLog(
      logger,
      'the history could not be sent to the cloud',
      'the history is sent to the cloud again',
    );
    const share = createHash('sha256').update(access.uid).digest().readUInt32BE() / 2 ** 32;
    this.#offsetMs = SETTLE_MS + Math.floor(share * (QUARTER_MS - 2 * SETTLE_MS));
  }

  start(): void {
    this.#unsubscribe = this.#options.registration.whenConfirmed(() => this.#run());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Sends what the cloud does not have, or requests from it whether the owner has agreed. */
  async send(): Promise<void> {
    if (!isBelievable(this.#options.clock.now())) return;
    let acknowledged = this.#acknowledged() ?? (await this.#requestConsent());
    while (acknowledged !== undefined && !this.#stopping.signal.aborted) {
      const nowMs = this.#options.clock.now();
      const endMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
      // A clock that was set back is ahead of nothing.
      const { parts, fromMs } = this.#next(acknowledged);
      const { days, untilMs } = await this.#days(Math.min(fromMs, endMs), parts, endMs, nowMs);
      const agreedAt = await this.#call({ days, newest: this.#options.newest() });
      acknowledged = this.#remember(agreedAt, { ...acknowledged, until: untilMs, parts });
      if (agreedAt !== null && acknowledged?.until === endMs) return;
    }
  }

  /** The cloud replaces a day of another zone by the day that it gets, which is sent whole. */
  #next({ until, parts: before }: Acknowledged): {
    readonly parts: readonly SentPart[];
    readonly fromMs: number;
  } {
    const parts = partsAfterMove(before, until, this.#options.reads.zone);
    return { parts, fromMs: parts === before ? until : (parts.at(-1)?.from ?? until) };
  }

  async #days(fromMs: number, sent: readonly SentPart[], endMs: number, nowMs: number) {
    const { reads } = this.#options;
    const wanted = daysBetween(fromMs, nowMs, reads.zone);
    const days = wanted.slice(0, MAX_HISTORY_DAYS);
    const last = days.at(-1) ?? 0;
    const countedMs = endOfDividedHour(sent);
    const untilMs = days.length < wanted.length ? startOfDay(last + 1, reads.zone) : endMs;
    const parts: DeviceHistoryBody['days'] = [];
    for (const day of days) {
      const part = await historyOfDay(reads, day, { fromMs, untilMs, nowMs, countedMs });
      if ([...Object.values(part.means), ...Object.values(part.energy)].length > 0) parts.push(part);
    }
    return { days: parts, untilMs };
  }

  /** The cloud learns nothing of a home before its owner has agreed. */
  async #requestConsent(): Promise<Acknowledged | undefined> {
    return this.#remember(await this.#call({ days: [], newest: null }), undefined);
  }

  /** A consent that is another one than before begins with the past: the cloud has deleted what it had. */
  #remember(agreedAt: string | null, sent: Acknowledged | undefined): Acknowledged | undefined {
    const { store, reads } = this.#options;
    if (agreedAt === null) {
      store.delete(KEY);
      return undefined;
    }
    const acknowledged =
      sent?.agreed_at === agreedAt
        ? sent
        : {
            agreed_at: agreedAt,
            until: this.#backlogMs(reads.since()),
            parts: [{ zone: reads.zone, from: 0 }],
          };
    store.set(KEY, JSON.stringify(acknowledged));
    return acknowledged;
  }

  #backlogMs(sinceMs: number | undefined): number {
    const nowMs = this.#options.clock.now();
    return (
      Math.floor(Math.max(Math.min(sinceMs ?? nowMs, nowMs), nowMs - BACKLOG_MS) / QUARTER_MS) * QUARTER_MS
    );
  }

  #acknowledged(): Acknowledged | undefined {
    const { store, reads } = this.#options;
    const stored = store.json(KEY, STORED, undefined);
    if (stored === undefined) return undefined;
    const { agreed_at, until, zone = reads.zone, parts = [{ zone, from: 0 }] } = stored;
    return { agreed_at, until, parts };
  }

  /** @returns when the owner agreed; null where they did not */
  async #call(body: DeviceHistoryBody): Promise<string | null> {
    const { access, clock } = this.#options;
    const answer = await callCloud(access, {
      route: internalOperations.storeDeviceHistory.route,
      body: { type: 'application/json', content: JSON.stringify(body) },
      nowMs: clock.now(),
      timeoutMs: TIMEOUT_MS,
      signal: this.#stopping.signal,
    });
    const found: unknown = await answer.json();
    if (!ANSWER.Check(found)) throw new Error('the cloud answers something unknown');
    return found.agreed_at;
  }

  /** Does nothing during another run, and unless the device is registered. */
  #run(): void {
    if (this.#stopping.signal.aborted || !this.#options.registration.isConfirmed) return;
    this.#running ??= this.#sendAndSchedule().finally(() => {
      this.#running = undefined;
    });
  }

  async #sendAndSchedule(): Promise<void> {
    clearTimeout(this.#timer);
    await this.send().then(
      () => {
        this.#options.problems.end();
        this.#failureLog.succeeded();
      },
      (error: unknown) => {
        const reason = reasonOf(error);
        if (!this.#stopping.signal.aborted)
          this.#failureLog.failed(new Error(reason), this.#options.problems.levelOf(reason));
      },
    );
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.#run(), this.#untilNextMs());
  }

  #untilNextMs(): number {
    const sinceMs = (this.#options.clock.now() - this.#offsetMs) % QUARTER_MS;
    return QUARTER_MS - sinceMs;
  }
}
