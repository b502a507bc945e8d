/** Paths that stand elsewhere at the proxy than at the device, where nothing else of that name could be in the way. */
const MOVED: Readonly<Record<string, string>> = { '/api/v1/mcp': '/mcp' };

/** @returns path and query at the device of what a client asked the proxy for */
export function devicePath(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const moved = MOVED[path];
  return moved === undefined ? url : moved + url.slice(path.length);
}
