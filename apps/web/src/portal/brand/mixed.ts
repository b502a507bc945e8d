/**
 * A colour between two, as `color-mix(in srgb, …)` has it. Each is `#rrggbb`.
 *
 * @param share of the second, from 0 to 1
 */
export function mixed(first: string, second: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [first, second].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
