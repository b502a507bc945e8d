/**
 * Whether every string in a value, keys included, is one that PostgreSQL can store: without NUL, and without
 * half of a surrogate pair, which UTF-8 cannot express. Bytes are no text: any will do.
 */
export function isStorable(value: unknown): boolean {
  // A list of what is left to look at and no recursion: JSON may nest deeper than the stack.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed()) return false;
    } else if (typeof next === 'object' && next !== null && !(next instanceof Uint8Array)) {
      for (const [key, inner] of Object.entries(next)) {
        if (!Array.isArray(next)) open.push(key);
        open.push(inner);
      }
    }
  }
  return true;
}
