import type { MetricDefinition } from '@heliograph/client';

/** The voltages of a battery's cells, in volts. */
export interface CellVoltages {
  readonly lowest: number;
  readonly highest: number;
  /** Between the highest and the lowest, in millivolts. */
  readonly spreadMv: number;
  /** Of each cell, from the first on; null is unknown. */
  readonly cells: readonly (number | null)[];
}

const CELL_TOPIC = /\/cell_voltage_(\d+)$/;

/** The topics of the voltages of single cells, from the first cell on. */
export function cellTopics(definitions: readonly Pick<MetricDefinition, 'topic'>[]): readonly string[] {
  return definitions
    .flatMap(({ topic }) => {
      const number = CELL_TOPIC.exec(topic)?.[1];
      return number === undefined ? [] : [{ topic, number: Number(number) }];
    })
    .toSorted((one, other) => one.number - other.number)
    .map(({ topic }) => topic);
}

/** Undefined while no voltage is known. */
export function cellVoltages(cells: readonly (number | null)[]): CellVoltages | undefined {
  const known = cells.filter((voltage) => voltage !== null);
  if (known.length === 0) return undefined;
  const lowest = Math.min(...known);
  const highest = Math.max(...known);
  return { lowest, highest, spreadMv: Math.round((highest - lowest) * 1000), cells };
}

/** The least difference that fills the bars, in volts: cells that hardly differ shall look alike. */
const MIN_RANGE_V = 0.05;

/** How high the bar of a cell is, from 0.15 to 1, on a scale on which small differences can be seen. */
export function barHeight(voltage: number, { lowest, highest }: CellVoltages): number {
  const range = Math.max(MIN_RANGE_V, highest - lowest);
  const from = (highest + lowest - range) / 2;
  return 0.15 + 0.85 * Math.min(1, Math.max(0, (voltage - from) / range));
}
