/** The candidate nearest to a mistyped `word`; undefined when none is near. */
function closest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase().replaceAll('-', '_');
  const ranked = [...candidates]
    .map((candidate) => ({ candidate, distance: distance(typed, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.ceil(word.length / 3) ? best.candidate : undefined;
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = closest(word, candidates);
  return found === undefined ? '' : `; did you mean "${found}"?`;
}

/** Letters to change, add or remove to get from one word to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const swap = (row[j] ?? 0) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
