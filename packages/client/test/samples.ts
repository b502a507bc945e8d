import { MetricRow, SiteSummary } from '@heliograph/contracts';
import { sampleOf } from '@heliograph/contracts/testing';
import type { Metric } from '../src/device-client.ts';

/** A site whose device was never seen; a test overrides what it is about. */
export function sampleSite(overrides: Partial<SiteSummary> = {}): SiteSummary {
  return { ...sampleOf(SiteSummary), id: 7, online: false, last_seen_at: null, ...overrides };
}

/** A metric; a test overrides what it is about. */
export function sampleMetric(overrides: Partial<Metric> = {}): Metric {
  return {
    ...sampleOf(MetricRow),
    topic: 'total/pv_power',
    device: 'totals',
    number: null,
    group: 'Status',
    name: 'PV power',
    unit: 'W',
    value: 1240,
    stale: false,
    updated_at: new Date().toISOString(),
    ...overrides,
  };
}

/** A small home: two totals, a battery, and one setting that takes 0 to 100. */
export function sampleMetrics(): Metric[] {
  const battery = { device: 'batteries', number: 0 } as const;
  const inverter = { device: 'inverters', number: 0, group: 'Settings' } as const;
  return [
    sampleMetric(),
    sampleMetric({ topic: 'total/grid_power', name: 'Grid power', value: -300 }),
    sampleMetric({ ...battery, topic: 'battery_1/voltage', name: 'Voltage', value: 51.2, unit: 'V' }),
    sampleMetric({
      ...inverter,
      topic: 'inverter_1/battery_reserve',
      name: 'Battery reserve',
      value: 20,
      unit: '%',
    }),
  ];
}
