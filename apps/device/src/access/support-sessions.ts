import { randomUUID } from 'node:crypto';
import {
  type DeviceConnectAnswer,
  type DeviceSupport,
  DeviceSupportReport,
  type RecoveryEventKind,
  SUPPORT_ACCESSES,
  type SupportAccess,
} from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { RECOVERY_ACCESS, type RecoveryClaim } from '@heliograph/wire';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';
import { storeIfUsable } from '../storage/opening/store-unusable.ts';
import type { RecoveryAuthor } from '../storage/write-log.ts';

const KEY = 'support';
const EVENTS_KEY = 'support_events';

/** Events that wait for the cloud; the oldest go first. */
const MAX_EVENTS = 500;

/** Events in one report. */
const MAX_REPORTED = 100;

/** Further reads of the same kind by the same person within this time are one event, in milliseconds. */
const REPEATED_READ_MS = 60 * 60 * 1000;

/** Retention of an ended session after the cloud knows of its end, in milliseconds: its tokens live for minutes. */
const ENDED_MS = 24 * 60 * 60 * 1000;

type ReadyAnswer = Extract<DeviceConnectAnswer, { status: 'ready' }>;
type ReportedEvent = DeviceSupportReport['events'][number];

interface KnownSession {
  readonly id: number;
  readonly access: RecoveryClaim['access'];
  /** Null until the cloud has reported it. */
  readonly reason: string | null;
  readonly firm: string | null;
  readonly people: readonly string[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The stored form. */
interface Stored {
  readonly access: SupportAccess;
  readonly sessions: readonly KnownSession[];
  /** Sessions that were ended here, with the time from which they may be forgotten; null: the cloud does not know yet. */
  readonly ended: readonly { readonly id: number; readonly forgetAt: number | null }[];
}

const STORED = Compile(
  Type.Object({
    access: Type.Enum([...SUPPORT_ACCESSES]),
    sessions: Type.Array(
      Type.Object({
        id: Type.Integer(),
        access: Type.Enum([...RECOVERY_ACCESS]),
        reason: Type.Union([Type.String(), Type.Null()]),
        firm: Type.Union([Type.String(), Type.Null()]),
        people: Type.Array(Type.String()),
        until: Type.Number(),
      }),
    ),
    ended: Type.Array(
      Type.Object({ id: Type.Integer(), forgetAt: Type.Union([Type.Number(), Type.Null()]) }),
    ),
  }),
);

const STORED_EVENTS = Compile(DeviceSupportReport.properties.events);

export interface RecoveryEventFacts {
  readonly kind: RecoveryEventKind;
  readonly subject: string | null;
  readonly succeeded: boolean;
}

/**
 * Support recovery sessions as the device knows them: from tokens that arrive, and from the cloud's answers. Ending one
 * here needs no cloud, and outlives a restart.
 */
export class SupportSessions {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;
  /** Recorded reads and their time, on the monotonic clock in milliseconds. */
  readonly #reads = new Map<string, number>();
  #stored: Stored;
  #events: readonly ReportedEvent[];
  /** False where the cloud is of a release that takes no reports. */
  #isReportable = true;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#stored = store.json(KEY, STORED, { access: 'ask', sessions: [], ended: [] });
    this.#events = store.json(EVENTS_KEY, STORED_EVENTS, []);
  }

  get access(): SupportAccess {
    return this.#stored.access;
  }

  /** `never` also refuses the tokens of sessions that are open. */
  setAccess(access: SupportAccess): void {
    this.#save({ ...this.#stored, access });
  }

  /** Whether tokens of a session are good here. */
  admits({ sessionId, until }: RecoveryClaim): boolean {
    const { access, ended } = this.#stored;
    return access === 'ask' && until > this.#clock.now() && ended.every(({ id }) => id !== sessionId);
  }

  /** Notes a session of which a token arrived. */
  arrived({ sessionId: id, access, name, firm, until }: RecoveryClaim): void {
    const known = this.#stored.sessions.find((session) => session.id === id);
    const { reason = null, people = [] } = known ?? {};
    const session = { id, access, reason, firm, people: [...new Set([...people, name])], until };
    if (JSON.stringify(session) === JSON.stringify(known)) return;
    const others = this.#stored.sessions.filter((other) => other.id !== id);
    this.#learn({ ...this.#stored, sessions: [...others, session] });
  }

  show(): DeviceSupport {
    const { access, ended } = this.#stored;
    const isOpen = ({ id, until }: KnownSession) =>
      until > this.#clock.now() && ended.every((one) => one.id !== id);
    return {
      access,
      sessions: this.#stored.sessions.filter(isOpen).map(({ until, people, ...session }) => ({
        ...session,
        people: [...people],
        expires_at: new Date(until).toISOString(),
      })),
    };
  }

  /** Refuses the tokens of a session from now on. @returns false when there is no such open session */
  end(id: number): boolean {
    if (this.show().sessions.every((session) => session.id !== id)) return false;
    this.#learn({ ...this.#stored, ended: [...this.#stored.ended, { id, forgetAt: null }] });
    return true;
  }

  /** Records for the owner what was done in a session; pages read again and again. @throws the store's error */
  record({ sessionId, userId }: RecoveryAuthor, event: RecoveryEventFacts): void {
    if (event.kind.endsWith('_read') && this.#isRepeated(`${sessionId} ${userId} ${event.kind}`)) return;
    const at = new Date(this.#clock.now()).toISOString();
    const recorded = { id: randomUUID(), session_id: sessionId, user_id: userId, at, ...event };
    this.#saveEvents([...this.#events, recorded].slice(-MAX_EVENTS));
  }

  #isRepeated(read: string): boolean {
    const now = this.#clock.monotonic();
    const isRepeated = now - (this.#reads.get(read) ?? Number.NEGATIVE_INFINITY) < REPEATED_READ_MS;
    if (!isRepeated) this.#reads.set(read, now);
    return isRepeated;
  }

  /** Whether there is something that the cloud does not know, or the device does not of a session. */
  get isReportDue(): boolean {
    const { ended } = this.#stored;
    const hasNews = this.#events.length > 0 || ended.some(({ forgetAt }) => forgetAt === null);
    return this.#isReportable && (hasNews || this.show().sessions.some(({ reason }) => reason === null));
  }

  report(): DeviceSupportReport {
    const { access, ended } = this.#stored;
    return {
      access,
      ended: ended.filter(({ forgetAt }) => forgetAt === null).map(({ id }) => id),
      events: this.#events.slice(0, MAX_REPORTED),
    };
  }

  /** Takes the cloud's answer to a report. */
  learn(report: DeviceSupportReport, answer: ReadyAnswer['support']): void {
    this.#isReportable = answer !== undefined;
    if (answer === undefined) return;
    const now = this.#clock.now();
    const people = new Map(this.#stored.sessions.map((session) => [session.id, session.people]));
    const isKnownToCloud = (id: number) =>
      report.ended.includes(id) && answer.sessions.every((session) => session.id !== id);
    const ended = this.#stored.ended
      .map(({ id, forgetAt }) => ({ id, forgetAt: forgetAt ?? (isKnownToCloud(id) ? now + ENDED_MS : null) }))
      .filter(({ forgetAt }) => forgetAt === null || forgetAt > now);
    const sessions = answer.sessions.flatMap(({ id, access: given, reason, firm, expires_at: expiresAt }) => {
      const access = RECOVERY_ACCESS.find((one) => one === given);
      // A token with an access that this release does not know is refused as well.
      if (access === undefined) return [];
      return [{ id, access, reason, firm, people: people.get(id) ?? [], until: Date.parse(expiresAt) }];
    });
    this.#learn({ ...this.#stored, sessions, ended });
    if (answer.received.length > 0) {
      const received = new Set(answer.received);
      this.#saveEvents(this.#events.filter(({ id }) => !received.has(id)));
    }
  }

  /** The cloud has them as well: a device whose store cannot be used keeps them until its next start. */
  #learn(stored: Stored): void {
    storeIfUsable(() => this.#save(stored));
    this.#stored = stored;
  }

  #save(stored: Stored): void {
    const text = JSON.stringify(stored);
    if (text !== JSON.stringify(this.#stored)) this.#store.set(KEY, text);
    this.#stored = stored;
  }

  #saveEvents(events: readonly ReportedEvent[]): void {
    this.#store.set(EVENTS_KEY, JSON.stringify(events));
    this.#events = events;
  }
}
