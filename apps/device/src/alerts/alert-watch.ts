import { type Clock, type Logger, messageOf, NotFound, wallAt } from '@heliograph/kit';
import { compileGlob } from '@heliograph/metrics';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { FailureLog } from '../common/failure-log.ts';
import type { AlertRules, Rule } from '../config/alert-rules/alert-rules.ts';
import { builtInRule } from '../config/alert-rules/built-in-rules.ts';
import type { Sample, Snapshot, SnapshotSource } from '../poll/snapshot.ts';
import type { KeyValueStore } from '../storage/key-value.ts';
import type { AlertStore, StoredAlert } from './alert-store.ts';
import {
  type Facts,
  type FailedWrite,
  type Observation,
  type Subject,
  type Watch,
  watchOf,
} from './conditions.ts';
import { distinctSamples, silentUnits } from './distinct-samples.ts';
import { type HoursBetween, productionOf } from './usual-production.ts';

/** How long a condition must not be met before its alert clears, in milliseconds: a value that flaps is one alert. */
const CLEAR_AFTER_MS = 5 * 60_000;

/** Conditions whose alerts clear with the first poll that does not meet them. */
const CLEARED_IMMEDIATELY: ReadonlySet<string> = new Set([
  'write_failed',
  'low_production',
  'store_damaged',
  'unchanged',
]);

/** An alert that returns this soon after it cleared is the same one, in milliseconds. */
const SAME_ALERT_MS = 60 * 60_000;

/** Conditions that are never the same twice: who acknowledged one loss of data does not know of the next. */
const NEVER_RETURNS: ReadonlySet<string> = new Set(['store_damaged']);

/** When topics of an open alert that are not there any more are taken for gone, in milliseconds after the start. */
const GONE_AFTER_MS = 10 * 60_000;

const REACHED_KEY = 'alert_values_reached';

const REACHED = Compile(Type.Array(Type.String()));

export interface AlertWatchOptions {
  readonly rules: AlertRules;
  readonly alerts: AlertStore;
  readonly store: Pick<KeyValueStore, 'json' | 'set'>;
  readonly snapshots: SnapshotSource;
  readonly hours: HoursBetween;
  readonly clockBehind: () => boolean;
  readonly storeLoss: Facts['storeLoss'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Called with each alert that was raised, acknowledged or cleared, that is raised again, or has another severity. */
export type AlertListener = (alert: StoredAlert) => void;

/** How far a subject is on its way to an alert, or out of one; monotonic, in milliseconds. */
interface Track {
  metSinceMs: number | undefined;
  clearSinceMs: number | undefined;
  alert: StoredAlert | undefined;
  /** When the condition was last met, by the wall clock. */
  lastAt: number;
}

interface RuleWatch {
  readonly rule: Rule;
  readonly matches: (topic: string) => boolean;
  readonly watch: Watch;
  readonly tracks: Map<string, Track>;
}

/** The steps of a poll, of which one that fails keeps none of the others from running. */
class Attempts {
  /** The first error. */
  failure: unknown;

  /** @returns whether it succeeded */
  run(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      this.failure ??= error;
      return false;
    }
  }
}

/**
 * Evaluates the rules with every poll. Durations are of the monotonic clock: a wall clock that jumps raises and clears
 * nothing.
 */
export class AlertWatch {
  readonly #options: AlertWatchOptions;
  readonly #listeners = new Set<AlertListener>();
  readonly #failedWrites = new Map<string, FailedWrite>();
  readonly #reached: Set<string>;
  #isReachedStored = true;
  readonly #failureLog: FailureLog;
  readonly #startedAtMs: number;
  #rules: readonly Rule[] = [];
  #watches: readonly RuleWatch[] = [];
  /** By topic, the watches that it concerns: globs are matched once. */
  #concerned = new Map<string, readonly RuleWatch[]>();
  #production: { readonly quarter: number; readonly found: ReturnType<typeof productionOf> } | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
    const { store, clock, logger } = options;
    this.#reached = new Set(store.json(REACHED_KEY, REACHED, []));
    this.#startedAtMs = clock.monotonic();
    this.#failureLog = new FailureLog(logger, 'alerts cannot be stored', 'alerts are stored again');
    for (const { rule, topic, detail, value } of options.alerts.open()) {
      if (rule === 'write_failed' && topic !== null)
        this.#failedWrites.set(topic, { outcome: detail ?? '', value: String(value) });
    }
  }

  start(): void {
    this.#unsubscribe = this.#options.snapshots.subscribe((snapshot) => this.evaluate(snapshot));
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  /** @returns what ends the subscription */
  subscribe(listener: AlertListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Remembers how a write ended, for the next poll. */
  wrote(topic: string, outcome: string, value: string): void {
    if (outcome === 'ok') this.#failedWrites.delete(topic);
    else if (outcome !== 'not sent') this.#failedWrites.set(topic, { outcome, value });
  }

  /** Nothing will show any more how the last write of a setting ended. */
  forgetWrite(topic: string): void {
    this.#failedWrites.delete(topic);
  }

  /** How many topics of the last poll each rule watches, by its id. */
  matching(): ReadonlyMap<string, number> {
    const { samples } = this.#options.snapshots.current;
    const topics = [...samples.keys()];
    return new Map(
      this.#options.rules.all.map(({ id, condition }) => {
        const globs = condition.topics.map(compileGlob);
        return [id, topics.filter((topic) => globs.some((matches) => matches(topic))).length];
      }),
    );
  }

  /** Times of open alerts are those of the last poll. */
  current(alert: StoredAlert): StoredAlert {
    const track = this.#watches.find(({ rule }) => rule.id === alert.rule)?.tracks.get(keyOf(alert));
    return track?.alert?.id === alert.id && alert.clearedAt === null
      ? { ...alert, lastAt: track.lastAt }
      : alert;
  }

  /** @throws NotFound */
  acknowledge(id: number, acknowledged: boolean, author: string): StoredAlert {
    const { alerts, clock } = this.#options;
    const alert = alerts.get(id);
    if (alert !== undefined && (alert.acknowledgedAt !== null) === acknowledged) return alert;
    const changed = alerts.update(id, {
      acknowledgedAt: acknowledged ? clock.now() : null,
      acknowledgedBy: acknowledged ? author : null,
    });
    if (changed === undefined) throw new NotFound(`There is no alert ${id}`);
    this.#report(changed);
    return changed;
  }

  /**
   * Compares a poll with the rules. An alert that cannot be stored, on a full disk for example, is tried again with the next
   * poll, and keeps no other rule from its own.
   */
  evaluate(snapshot: Snapshot): void {
    const attempts = new Attempts();
    attempts.run(() => this.#applyRules(attempts));
    const facts = this.#facts();
    const samples = this.#samplesByWatch(snapshot);
    for (const ruleWatch of this.#watches) {
      attempts.run(() => {
        const observations = ruleWatch.watch(samples.get(ruleWatch) ?? [], snapshot, facts);
        for (const observation of observations)
          attempts.run(() => this.#follow(ruleWatch, observation, facts.nowMs));
      });
    }
    if (facts.nowMs - this.#startedAtMs >= GONE_AFTER_MS) this.#clearGone(snapshot, attempts);
    attempts.run(() => this.#storeReached());
    if (attempts.failure === undefined) this.#failureLog.succeeded();
    else this.#failureLog.failed(new Error(messageOf(attempts.failure)));
  }

  #facts(): Facts {
    const { clock, clockBehind, storeLoss } = this.#options;
    return {
      nowMs: clock.monotonic(),
      clockBehind,
      storeLoss,
      failedWrites: this.#failedWrites,
      production: () => this.#productionNow(),
      wasReached: (topic) => this.#reached.has(topic),
      reached: (topic) => {
        if (this.#reached.has(topic)) return;
        this.#reached.add(topic);
        this.#isReachedStored = false;
      },
    };
  }

  #storeReached(): void {
    if (this.#isReachedStored) return;
    this.#options.store.set(REACHED_KEY, JSON.stringify([...this.#reached]));
    this.#isReachedStored = true;
  }

  /** Hours change once an hour, in some zones at a half or a quarter of an hour of UTC. */
  #productionNow(): ReturnType<typeof productionOf> {
    const { hours, clock, rules } = this.#options;
    const nowMs = clock.now();
    const quarter = Math.floor(nowMs / 900_000);
    if (this.#production?.quarter !== quarter) {
      const forS =
        rules.all.find(({ condition }) => condition.kind === 'low_production')?.condition.for_s ?? 0;
      const count = Math.max(1, Math.round(forS / 3600));
      this.#production = { quarter, found: productionOf(hours, nowMs, count) };
    }
    return this.#production.found;
  }

  /** Other rules than before end the alerts of those that are gone or switched off, and open alerts take their severities. */
  #applyRules(attempts: Attempts): void {
    const { rules, alerts } = this.#options;
    if (rules.all === this.#rules) return;
    const open = alerts.open().map((alert) => this.current(alert));
    const before = new Map(this.#watches.map((watch) => [JSON.stringify(watch.rule), watch]));
    const enabled = rules.all.filter((rule) => rule.enabled);
    this.#watches = enabled.map((rule) => before.get(JSON.stringify(rule)) ?? this.#watchFor(rule, open));
    this.#concerned = new Map();
    this.#production = undefined;
    const ids = new Set(enabled.map(({ id }) => id));
    const ended = open.filter((alert) => !ids.has(alert.rule));
    const steps = [
      ...ended.map((alert) => () => this.#clear(alert, alert.lastAt)),
      ...this.#watches.map((watch) => () => this.#adoptSeverity(watch)),
    ];
    // Once more with the next poll unless all succeeded.
    if (steps.every((step) => attempts.run(step))) this.#rules = rules.all;
  }

  #adoptSeverity({ rule: { severity }, tracks }: RuleWatch): void {
    for (const track of tracks.values()) {
      if (track.alert === undefined || track.alert.severity === severity) continue;
      track.alert = this.#options.alerts.update(track.alert.id, { severity });
      if (track.alert !== undefined) this.#report(track.alert);
    }
  }

  #watchFor(rule: Rule, open: readonly StoredAlert[]): RuleWatch {
    const globs = rule.condition.topics.map(compileGlob);
    const tracks = new Map<string, Track>();
    for (const alert of open) {
      if (alert.rule !== rule.id) continue;
      tracks.set(keyOf(alert), {
        metSinceMs: undefined,
        clearSinceMs: undefined,
        alert,
        lastAt: alert.lastAt,
      });
    }
    const recall = (): readonly Subject[] => [...tracks.values()].flatMap(({ alert }) => alert ?? []);
    return {
      rule,
      matches: (topic) => globs.some((matches) => matches(topic)),
      watch: watchOf(rule.condition, recall),
      tracks,
    };
  }

  #samplesByWatch(snapshot: Snapshot): ReadonlyMap<RuleWatch, readonly Sample[]> {
    const found = new Map<RuleWatch, Sample[]>();
    for (const [topic, sample] of snapshot.samples) {
      let concerned = this.#concerned.get(topic);
      if (concerned === undefined) {
        concerned = this.#watches.filter(({ matches }) => matches(topic));
        this.#concerned.set(topic, concerned);
      }
      for (const watch of concerned) {
        const ofWatch = found.get(watch);
        if (ofWatch === undefined) found.set(watch, [sample]);
        else ofWatch.push(sample);
      }
    }
    const silent = silentUnits(snapshot);
    return new Map<RuleWatch, readonly Sample[]>(
      [...found].map(([watch, ofWatch]) => {
        const { rule, tracks } = watch;
        if (builtInRule(rule.id) === undefined || rule.condition.kind === 'silent') return [watch, ofWatch];
        const open = new Set([...tracks.values()].flatMap(({ alert }) => alert?.topic ?? []));
        return [watch, distinctSamples(ofWatch, snapshot, { silent, open })];
      }),
    );
  }

  #follow({ rule, tracks }: RuleWatch, observation: Observation, nowMs: number): void {
    const key = keyOf(observation);
    const { verdict } = observation;
    const track = tracks.get(key) ?? {
      metSinceMs: undefined,
      clearSinceMs: undefined,
      alert: undefined,
      lastAt: 0,
    };
    if (verdict === 'met') {
      tracks.set(key, track);
      track.lastAt = this.#options.clock.now();
      track.clearSinceMs = undefined;
      track.metSinceMs ??= nowMs;
      // The device stopped before it noticed that the acknowledgement had ended the condition.
      if (NEVER_RETURNS.has(rule.condition.kind) && typeof track.alert?.acknowledgedAt === 'number') {
        this.#clear(track.alert, track.alert.lastAt);
        track.alert = undefined;
      }
      if (track.alert === undefined) {
        const windows = rule.condition.kind === 'rises' || rule.condition.kind === 'low_production';
        const forMs = windows ? 0 : rule.condition.for_s * 1000;
        if (nowMs - track.metSinceMs >= forMs) this.#raise(rule, track, observation, track.metSinceMs);
      }
      return;
    }
    if (track.alert === undefined) {
      tracks.delete(key);
      return;
    }
    if (verdict !== 'not_met') {
      track.clearSinceMs = undefined;
      return;
    }
    track.clearSinceMs ??= nowMs;
    const clearMs = CLEARED_IMMEDIATELY.has(rule.condition.kind) ? 0 : CLEAR_AFTER_MS;
    if (nowMs - track.clearSinceMs < clearMs) return;
    this.#clear(track.alert, track.lastAt);
    tracks.delete(key);
  }

  #raise(rule: Rule, track: Track, observation: Observation, metSinceMs: number): void {
    const { alerts, clock, logger } = this.#options;
    const since = wallAt(clock, metSinceMs);
    const wallMs = clock.now();
    const { topic, name, detail, value, limit, unit } = observation;
    const last = alerts.latest(rule.id, topic, detail);
    const returned =
      last?.clearedAt != null &&
      !NEVER_RETURNS.has(rule.condition.kind) &&
      wallMs - last.clearedAt >= 0 &&
      wallMs - last.clearedAt < SAME_ALERT_MS;
    const facts = { severity: rule.severity, value, limit, lastAt: wallMs };
    const again = returned
      ? alerts.update(last.id, { ...facts, clearedAt: null, times: last.times + 1 })
      : undefined;
    const raised =
      again ??
      alerts.insert({
        ...facts,
        rule: rule.id,
        kind: rule.condition.kind,
        topic,
        name: rule.name ?? name,
        detail,
        unit,
        since,
        raisedAt: wallMs,
      });
    track.alert = raised;
    logger.warn({ rule: rule.id, topic, detail, value }, 'an alert was raised');
    this.#report(raised);
  }

  /** An alert whose row was damaged meanwhile is let go: no list has it any more. */
  #clear(alert: StoredAlert, lastAt: number): void {
    const { alerts, clock, logger } = this.#options;
    const cleared = alerts.update(alert.id, { clearedAt: clock.now(), lastAt });
    if (cleared === undefined) return;
    logger.info({ rule: alert.rule, topic: alert.topic, detail: alert.detail }, 'an alert cleared');
    this.#report(cleared);
  }

  /** Hardware that was taken away has no topics, and so nothing that would end its alerts. */
  #clearGone({ samples }: Snapshot, attempts: Attempts): void {
    const isThere = (topic: string): boolean =>
      samples.has(topic) || [...samples.keys()].some((other) => other.startsWith(`${topic}/`));
    for (const { tracks } of this.#watches) {
      for (const [key, { alert, lastAt }] of tracks) {
        if (alert === undefined || alert.topic === null || isThere(alert.topic)) continue;
        attempts.run(() => {
          this.#clear(alert, lastAt);
          tracks.delete(key);
        });
      }
    }
  }

  #report(alert: StoredAlert): void {
    for (const listener of this.#listeners) listener(alert);
  }
}

function keyOf({ topic, detail }: Subject): string {
  return `${topic ?? ''}\n${detail ?? ''}`;
}
