import type { StoredAlert } from '@heliograph/device/testing/stepped-device';
import type { PlantedFault } from './faults.ts';

/** A fault may be noticed so long after it ended, in milliseconds: whole hours are compared. */
const LATE_MS = 4 * 3_600_000;

/** An alert that was raised, and not one that returned. */
export interface Raised {
  readonly alert: Pick<StoredAlert, 'rule' | 'topic' | 'detail' | 'value'>;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** The faults and alerts of one rule in one home. */
export interface RuleCount {
  readonly rule: string;
  readonly planted: number;
  /** Faults with one alert. */
  readonly reported: number;
  /** Faults with more. */
  readonly repeated: number;
  /** Faults without one, by name and time. */
  readonly missed: readonly string[];
  /** Alerts without a fault, by topic and time. */
  readonly false: readonly string[];
}

export function verdictOf(faults: readonly PlantedFault[], raised: readonly Raised[]): readonly RuleCount[] {
  const alertsOf = new Map<PlantedFault, number>();
  const falseAlerts: Raised[] = [];
  for (const one of raised) {
    const fault = faults.find(
      ({ kind, fromMs, toMs }) =>
        kind.rule === one.alert.rule && fromMs <= one.atMs && one.atMs <= toMs + LATE_MS,
    );
    if (fault === undefined) falseAlerts.push(one);
    else alertsOf.set(fault, (alertsOf.get(fault) ?? 0) + 1);
  }
  const rules = new Set([
    ...faults.flatMap(({ kind }) => kind.rule ?? []),
    ...raised.map(({ alert }) => alert.rule),
  ]);
  return [...rules].map((rule) => {
    const planted = faults.filter(({ kind }) => kind.rule === rule);
    const count = (fault: PlantedFault): number => alertsOf.get(fault) ?? 0;
    return {
      rule,
      planted: planted.length,
      reported: planted.filter((fault) => count(fault) === 1).length,
      repeated: planted.filter((fault) => count(fault) > 1).length,
      missed: planted
        .filter((fault) => count(fault) === 0)
        .map(({ kind, fromMs }) => `${kind.name}, ${new Date(fromMs).toISOString()}`),
      false: falseAlerts
        .filter(({ alert }) => alert.rule === rule)
        .map(({ alert, atMs }) => {
          const during = faults.find(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs + LATE_MS);
          return [
            `${alert.topic ?? ''} ${alert.value ?? ''}, ${new Date(atMs).toISOString()}`,
            ...(during === undefined ? [] : [`during: ${during.kind.name}`]),
          ].join(', ');
        }),
    };
  });
}
