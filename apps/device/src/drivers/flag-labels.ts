/** Labels of a set of bits, from bit 0 on; null for a bit that needs none. */
export type FlagLabels = readonly (string | null)[];

const BITS = 32;

/**
 * The labels of the bits that are set.
 *
 * @param unnamed the label of a bit that has none
 */
export function flagLabels(
  bits: number,
  labels: FlagLabels,
  unnamed = (bit: number): string => `Alarm ${bit}`,
): readonly string[] {
  return Array.from({ length: BITS }, (_, bit) => bit).flatMap((bit) => {
    const label = labels[bit];
    return isSet(bits, bit) && label !== null ? [label ?? unnamed(bit)] : [];
  });
}

export function isSet(bits: number, bit: number): boolean {
  return ((bits >>> bit) & 1) === 1;
}
