/** How many points the Page keys move by, out of all. */
const PAGES = 12;

/**
 * Which point a key leads to, on a curve that is read point by point.
 *
 * @param index where the reader is, null for nowhere yet
 * @param count how many points there are
 * @returns null to leave the curve, undefined for a key that does nothing here
 */
export function indexAfterKey(key: string, index: number | null, count: number): number | null | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const page = Math.max(1, Math.round(count / PAGES));
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -page, PageUp: page }[key];
  if (by !== undefined) return index === null ? last : Math.min(last, Math.max(0, index + by));
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return key === 'Escape' && index !== null ? null : undefined;
}
