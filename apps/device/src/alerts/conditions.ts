import type { AlertCondition } from '@heliograph/contracts';
import { complaintsIn, type MetricValue } from '@heliograph/metrics';
import type { Sample, Snapshot } from '../poll/snapshot.ts';
import type { LossCause } from '../storage/salvage/store-loss.ts';
import { silentUnits, unitOf } from './distinct-samples.ts';

/** `between`: not met, and not far enough from it for an alert to clear. */
export type Verdict = 'met' | 'between' | 'not_met' | 'unknown';

/** The result of a condition for one topic, unit or fault. */
export interface Observation {
  /** Null for the home as a whole. */
  readonly topic: string | null;
  readonly name: string | null;
  readonly detail: string | null;
  readonly verdict: Verdict;
  readonly value: MetricValue;
  readonly limit: number | null;
  readonly unit: string;
}

/** The part that identifies an alert among those of its rule. */
export type Subject = Pick<Observation, 'topic' | 'detail'>;

/** Facts for conditions that metrics do not show. */
export interface Facts {
  /** Monotonic, in milliseconds. */
  readonly nowMs: number;
  readonly clockBehind: () => boolean;
  /** Why stored data was lost that the owner does not know of yet; null: none was. */
  readonly storeLoss: () => LossCause | null;
  /** Writes by topic that were not taken as they were sent; no topic whose last write was. */
  readonly failedWrites: ReadonlyMap<string, FailedWrite>;
  /** Solar energy of the last hours against what they usually bring; undefined at night and without history. */
  readonly production: () => Production | undefined;
  /** Whether a value of `only_after` was ever reached. */
  readonly wasReached: (topic: string) => boolean;
  readonly reached: (topic: string) => void;
}

export interface FailedWrite {
  readonly outcome: string;
  readonly value: string;
}

export interface Production {
  readonly actualKwh: number;
  readonly usualKwh: number;
}

/** Evaluates a condition with each snapshot. @param samples those whose topics the rule matches */
export type Watch = (samples: readonly Sample[], snapshot: Snapshot, facts: Facts) => readonly Observation[];

/** The subjects of the open alerts of a rule, so that their end is noticed. */
export type Recall = () => readonly Subject[];

export function watchOf(condition: AlertCondition, recall: Recall): Watch {
  switch (condition.kind) {
    case 'above':
    case 'below':
      return threshold(condition);
    case 'equals':
    case 'differs':
      return textual(condition);
    case 'unchanged':
      return unchanged();
    case 'rises':
      return rises(condition);
    case 'complaint':
      return (samples) => samples.flatMap((sample) => complaints(sample, recall));
    case 'silent':
      return silent;
    case 'low_production':
      return (_samples, _snapshot, facts) => lowProduction(condition, facts.production());
    case 'write_failed':
      return (_samples, snapshot, facts) => failedWrites(snapshot, facts, recall);
    case 'clock_behind':
      return (_samples, _snapshot, facts) => [
        { ...HOME, verdict: facts.clockBehind() ? 'met' : 'not_met', value: null },
      ];
    case 'store_damaged':
      return (_samples, _snapshot, facts) => {
        const cause = facts.storeLoss();
        const value = cause === 'unreadable' ? cause : null;
        return [{ ...HOME, verdict: cause === null ? 'not_met' : 'met', value }];
      };
  }
}

const HOME = { topic: null, name: null, detail: null, limit: null, unit: '' } as const;

function about({ definition }: Sample, limit: number | null = null): Omit<Observation, 'verdict' | 'value'> {
  const { topic, name, unit } = definition;
  return { topic, name, detail: null, limit, unit };
}

function threshold({
  kind,
  limit = 0,
  clear_limit: clearLimit = limit,
  only_after: after,
}: AlertCondition): Watch {
  const sign = kind === 'above' ? 1 : -1;
  return (samples, _snapshot, { reached, wasReached }) =>
    samples.map((sample) => {
      const { value, definition } = sample;
      if (typeof value !== 'number') return { ...about(sample, limit), verdict: 'unknown', value };
      if (after !== undefined) {
        if (value >= after) reached(definition.topic);
        else if (!wasReached(definition.topic)) return { ...about(sample, limit), verdict: 'unknown', value };
      }
      const isMet = sign * (value - limit) > 0;
      const isClear = sign * (value - clearLimit) <= 0;
      const verdict = isMet ? 'met' : isClear ? 'not_met' : 'between';
      return { ...about(sample, limit), verdict, value };
    });
}

function textual({ kind, values = [] }: AlertCondition): Watch {
  const named = new Set(values.map((value) => value.toLowerCase()));
  return (samples) =>
    samples.map((sample) => {
      const { value } = sample;
      if (value === null) return { ...about(sample), verdict: 'unknown', value };
      const isNamed = named.has(String(value).toLowerCase());
      return { ...about(sample), verdict: isNamed === (kind === 'equals') ? 'met' : 'not_met', value };
    });
}

/**
 * A value that stays, while others of its unit move. A power of 0 is no stuck one. The first value after a start is not known
 * to be another one than before.
 */
function unchanged(): Watch {
  const stays = new Map<string, Stay>();
  /** When a value of a unit last changed; monotonic, in milliseconds. */
  const movedAt = new Map<string, number>();
  return (samples, snapshot, { nowMs }) => {
    for (const { definition, value } of snapshot.samples.values()) {
      if (definition.group !== 'Status' || typeof value !== 'number') continue;
      const last = stays.get(definition.topic);
      if (last?.value === value) continue;
      stays.set(definition.topic, { value, sinceMs: nowMs, isFirst: last === undefined });
      if (last !== undefined) movedAt.set(unitOf(definition), nowMs);
    }
    return samples.map((sample) => {
      const { value, definition } = sample;
      const known = { ...about(sample), value };
      const stay = stays.get(definition.topic);
      // A setting stays for as long as its owner likes.
      if (typeof value !== 'number' || stay === undefined) return { ...known, verdict: 'unknown' };
      const { sinceMs, isFirst } = stay;
      const hasChanged = sinceMs === nowMs && !isFirst;
      if (value === 0 || hasChanged) return { ...known, verdict: 'not_met' };
      const othersMove = (movedAt.get(unitOf(definition)) ?? -Infinity) > sinceMs;
      return { ...known, verdict: othersMove ? 'met' : 'between' };
    });
  };
}

/** How long a value has stayed; monotonic, in milliseconds. */
interface Stay {
  readonly value: number;
  readonly sinceMs: number;
  /** Whether no other value was seen before it. */
  readonly isFirst: boolean;
}

/** A counter that rises by much. It may begin again at zero. */
function rises({ limit = 1, for_s: windowS }: AlertCondition): Watch {
  const counted = new Map<string, { readonly atMs: number; readonly value: number }[]>();
  return (samples, _snapshot, { nowMs }) =>
    samples.map((sample) => {
      const { value, definition } = sample;
      if (typeof value !== 'number') return { ...about(sample), verdict: 'unknown', value };
      const points = counted.get(definition.topic) ?? [];
      const newest = points.at(-1);
      const kept = newest !== undefined && value < newest.value ? [] : points;
      // The last point before the window is where it began.
      while (kept.length > 1 && (kept[1]?.atMs ?? 0) <= nowMs - windowS * 1000) kept.shift();
      if (kept.at(-1)?.value !== value) kept.push({ atMs: nowMs, value });
      counted.set(definition.topic, kept);
      const rise = value - (kept[0]?.value ?? value);
      return { ...about(sample, limit), verdict: rise >= limit ? 'met' : 'not_met', value };
    });
}

function complaints(sample: Sample, recall: Recall): readonly Observation[] {
  const { definition, value } = sample;
  const open = recall().flatMap(({ topic, detail }) => (topic === definition.topic ? (detail ?? []) : []));
  if (typeof value !== 'string')
    return open.map((detail) => ({ ...about(sample), detail, verdict: 'unknown', value }));
  const named = complaintsIn(definition.name, value);
  const over = open.filter((detail) => !named.includes(detail));
  return [
    ...named.map((detail): Observation => ({ ...about(sample), detail, verdict: 'met', value: detail })),
    ...over.map((detail): Observation => ({ ...about(sample), detail, verdict: 'not_met', value: detail })),
  ];
}

/** A connection that is silent as a whole is one alert, about the first of its units. */
const silent: Watch = (samples, snapshot) => {
  const silentOnes = silentUnits(snapshot);
  const units = new Set(samples.map(({ definition }) => unitOf(definition)));
  const behind = Map.groupBy(units, (unit) => snapshot.connections?.get(unit) ?? unit);
  return [...behind.values()].flatMap((all) => {
    const isWhole = all.every((unit) => silentOnes.has(unit));
    return all.map((topic, index): Observation => {
      const verdict = isWhole && index > 0 ? 'unknown' : silentOnes.has(topic) ? 'met' : 'not_met';
      return { ...HOME, topic, verdict, value: null };
    });
  });
};

function lowProduction(
  { limit = 0 }: AlertCondition,
  production: Production | undefined,
): readonly Observation[] {
  const about = { ...HOME, topic: 'total/pv_power', unit: 'kWh' };
  if (production === undefined) return [{ ...about, verdict: 'unknown', value: null }];
  const { actualKwh, usualKwh } = production;
  const percent = (100 * actualKwh) / usualKwh;
  const verdict = percent < limit ? 'met' : percent < 2 * limit ? 'between' : 'not_met';
  return [{ ...about, verdict, value: actualKwh, limit: usualKwh }];
}

function failedWrites(
  { samples }: Snapshot,
  { failedWrites }: Facts,
  recall: Recall,
): readonly Observation[] {
  const failed = [...failedWrites].map(([topic, { outcome, value }]) => ({ topic, detail: outcome, value }));
  const over = recall().filter(({ topic, detail }) => failedWrites.get(topic ?? '')?.outcome !== detail);
  const aboutTopic = (topic: string | null) => {
    const sample = samples.get(topic ?? '');
    return sample === undefined ? { ...HOME, topic } : about(sample);
  };
  return [
    ...failed.map(
      ({ topic, detail, value }): Observation => ({ ...aboutTopic(topic), detail, verdict: 'met', value }),
    ),
    ...over.map(
      ({ topic, detail }): Observation => ({ ...aboutTopic(topic), detail, verdict: 'not_met', value: null }),
    ),
  ];
}
