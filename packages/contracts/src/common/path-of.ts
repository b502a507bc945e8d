/** Values that a URL would take for no segment, or for a step in the path. */
const NO_SEGMENTS: ReadonlySet<unknown> = new Set([undefined, '', '.', '..']);

/**
 * The path of an operation's route, such as `GET /api/v1/sites/{id}`, with its parameters in place, percent-encoded.
 *
 * @throws TypeError when a parameter is missing, or one that a URL would take for a step in the path
 */
export function pathOf(route: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return route.slice(route.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_parameter, name: string) => {
    const value = parameters[name];
    if (NO_SEGMENTS.has(value)) throw new TypeError(`${route} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}
