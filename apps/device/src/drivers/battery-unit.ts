import { BATTERY } from './battery-quantities.ts';
import type { DecodedUnit, Unit } from './driver.ts';
import { type Entry, quantitiesOf, readingOf } from './entries.ts';

/** The battery that these entries describe. */
export function batteryUnit(entries: readonly Entry[]): Unit {
  const model = entries.find(([quantity]) => quantity === BATTERY.modelName)?.[1];
  return {
    kind: 'batteries',
    model: typeof model === 'string' ? model : null,
    quantities: [...new Map(quantitiesOf(entries).map((quantity) => [quantity.name, quantity])).values()],
  };
}

/** The same with its values, as exact as they were recorded; of one that was read twice the last. */
export function decodedBattery(entries: readonly Entry[]): DecodedUnit {
  return { ...batteryUnit(entries), reading: readingOf(entries, 'exact') };
}
