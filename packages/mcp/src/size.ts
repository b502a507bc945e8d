/** Values of one request at most: calls have a handful, and what checks them takes its time for each. */
const MAX_VALUES = 2_000;

/** Characters of all texts and names of one request at most. */
const MAX_TEXT = 50_000;

/**
 * Whether a request holds far more than any call of a tool needs. Found out without looking at the rest: checking all the
 * arguments that a body has room for takes its time.
 */
export function isTooLarge(body: unknown): boolean {
  let values = 0;
  let text = 0;
  // A list of what is left to look at and no recursion: JSON may nest deeper than the stack.
  const open: unknown[] = [body];
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next === 'string') text += next.length;
    else if (typeof next === 'object' && next !== null) {
      const names = Array.isArray(next) ? [] : Object.keys(next);
      const inner = Array.isArray(next) ? next : Object.values(next);
      if (values + open.length + inner.length > MAX_VALUES) return true;
      for (const name of names) text += name.length;
      open.push(...inner);
    }
    if (text > MAX_TEXT) return true;
  }
  return false;
}
