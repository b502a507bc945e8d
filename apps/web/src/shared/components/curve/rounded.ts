/** Means of many readings have digits that no meter had. */
const SIGNIFICANT = 4;

/** A value of a curve with the digits that say something: whole percents, of all else the first four. */
export function roundForDisplay(value: number, unit: string): number {
  return unit === '%' ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT));
}
