/** Between two phases that are 120 degrees apart. */
export function lineVolts(first: number, second: number): number {
  return Math.sqrt(first * first + second * second + first * second);
}

export function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
