/**
 * Whether an object in JSON text names a key twice. Parsers differ on which of the two counts, so that something
 * in front of the cloud may have seen another request than the cloud does.
 *
 * @param text JSON that was parsed
 * @param value what became of it, without reviver
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  return keysWritten(text) !== keysKept(value);
}

/** How many strings of a JSON text have a colon behind them. */
function keysWritten(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    let next = end + 1;
    while (' \t\n\r'.includes(text.charAt(next)) && next < text.length) next += 1;
    if (text[next] === ':') count += 1;
    start = text.indexOf('"', next);
  }
  return count;
}

/** Where a string ends that begins at an index: at the first quotation mark that no backslash escapes. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function keysKept(value: unknown): number {
  let count = 0;
  // A list of what is left to look at and no recursion: JSON may nest deeper than the stack.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const each of inner) open.push(each);
  }
  return count;
}
