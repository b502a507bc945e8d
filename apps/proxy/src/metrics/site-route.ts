import { deviceOperations } from '@heliograph/contracts/operations/device';

/** Other paths than those of operations: the stream, tools, and the endpoints of the proxy itself. */
const OTHER_PATHS = [
  '/api/websocket',
  '/api/socket/websocket',
  '/api/v1/mcp',
  '/mcp',
  '/healthz',
  '/readyz',
  '/metrics',
];

const FIXED = new Set(OTHER_PATHS);
const PATTERNS: (readonly [expression: RegExp, pattern: string])[] = [];

for (const { route } of Object.values(deviceOperations)) {
  const [, path = ''] = route.split(' ');
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  if (pattern === path) FIXED.add(path);
  else PATTERNS.push([new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), pattern]);
}

/**
 * The pattern of a request's path, for logs: a path that is not known may hold anything.
 *
 * @param url path and query
 */
export function siteRouteOf(url = ''): string | undefined {
  const [path = ''] = url.split('?', 1);
  if (FIXED.has(path)) return path;
  return PATTERNS.find(([expression]) => expression.test(path))?.[1];
}
