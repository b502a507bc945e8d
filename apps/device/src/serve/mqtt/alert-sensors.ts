import type { Alert } from '@heliograph/contracts';
import type { Rule } from '../../config/alert-rules/alert-rules.ts';

/** A rule as a sensor of Home Assistant: whether something is wrong by it. */
export interface AlertSensor {
  /** The id of the rule. */
  readonly id: string;
  readonly title: string;
  readonly isOn: boolean;
  /** JSON. */
  readonly attributes: string;
}

/** More would not fit what Home Assistant stores of attributes. */
const MAX_TEXTS = 20;

/** A sensor for each rule that is switched on. @param open alerts that have not cleared */
export function alertSensors(rules: readonly Rule[], open: readonly Alert[]): readonly AlertSensor[] {
  const byRule = Map.groupBy(open, ({ rule }) => rule);
  return rules
    .filter(({ enabled }) => enabled)
    .map(({ id, name, severity }) => {
      const alerts = byRule.get(id) ?? [];
      const texts = alerts.slice(0, MAX_TEXTS).map(({ text }) => text);
      const since = alerts.map((alert) => alert.since).toSorted()[0] ?? null;
      return {
        id,
        title: name ?? titleOf(id),
        isOn: alerts.length > 0,
        attributes: JSON.stringify({ severity, count: alerts.length, since, alerts: texts }),
      };
    });
}

/** @example titleOf('battery_low') // Battery low */
function titleOf(id: string): string {
  return id.replaceAll('_', ' ').replace(/^./, (initial) => initial.toUpperCase());
}
