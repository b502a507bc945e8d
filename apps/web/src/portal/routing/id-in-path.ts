/** The id of a path's parameter; undefined for another text. */
export function idInPath(text = ''): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}
