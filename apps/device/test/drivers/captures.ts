import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import { expect } from 'vitest';
import type { DecodedUnit } from '../../src/drivers/driver.ts';
import type { Recording } from '../../src/drivers/recording.ts';

/** A recording of real hardware, with what its source shows of it. */
export interface Capture extends Recording {
  readonly id: string;
  readonly expected_topics?: Readonly<Record<string, number>>;
}

/** The recordings in the `captures` folder of a family. */
export function capturesIn(familyFolder: string): readonly Capture[] {
  const folder = join(familyFolder, 'captures');
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Capture);
}

/** The decoded values by topic. */
export function topicsOf(units: readonly DecodedUnit[]): Record<string, MetricValue> {
  const rows = units.flatMap(({ kind, quantities, reading }, number) =>
    quantities.map((quantity) => {
      const { topic } = defineMetric(kind, number, quantity);
      return [topic, reading.get(quantity.name) ?? null] as const;
    }),
  );
  return Object.fromEntries(rows);
}

/** Compares with as many digits as the source of a recording shows. */
export function expectTopics(
  topics: Readonly<Record<string, MetricValue>>,
  expected: Readonly<Record<string, MetricValue>>,
): void {
  for (const [topic, value] of Object.entries(expected)) {
    if (typeof value === 'number') expect(topics[topic], topic).toBeCloseTo(value, decimalsOf(value));
    else expect(topics[topic], topic).toBe(value);
  }
}

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}
