import type { MetricValue } from '@heliograph/metrics';
import { expect } from 'vitest';

export const BALANCE = ['PV power', 'Grid power', 'Battery power', 'Load power'] as const;

/** All four powers are known, and `load = pv + grid - battery`. */
export function expectBalance(values: Readonly<Record<string, MetricValue>>): void {
  for (const name of BALANCE) expect(values[name], name).toBeTypeOf('number');
  const [pv, grid, battery, load] = BALANCE.map((name) => Number(values[name]));
  expect(load).toBe((pv ?? 0) + (grid ?? 0) - (battery ?? 0));
}
