/** Longest accepted pattern, in characters: far more than any topic has. */
export const MAX_GLOB_LENGTH = 256;

/**
 * Compiles a topic glob: `*` matches any run of characters, slashes included (`inverter_1/*` also matches
 * `inverter_1/combine_pv/ac_supply`), `?` matches one character, everything else itself. A pattern longer
 * than {@link MAX_GLOB_LENGTH} matches nothing.
 *
 * Matching walks both strings once with a single point of return, so that no pattern can take more than
 * pattern times topic steps.
 */
export function compileGlob(pattern: string): (topic: string) => boolean {
  if (pattern.length > MAX_GLOB_LENGTH) return () => false;
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern)) return (topic) => topic === pattern;
  return (topic) => matches(pattern, topic);
}

function matches(pattern: string, topic: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resumeAt = 0;
  while (t < topic.length) {
    if (pattern[p] === '*') {
      star = p++;
      resumeAt = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === topic[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
