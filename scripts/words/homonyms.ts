const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/**
 * Exported type names that stand in more than one file of a workspace, a sentence each.
 *
 * @param files path from the project's root to source; tests left out
 */
export function homonymsIn(files: ReadonlyMap<string, string>): string[] {
  const places = new Map<string, string[]>();
  for (const [file, source] of files) {
    const workspace = file.split('/').slice(0, 2).join('/');
    for (const [, name] of source.matchAll(EXPORTED_TYPE)) {
      const key = `${workspace} exports ${name}`;
      places.set(key, [...(places.get(key) ?? []), file]);
    }
  }
  return [...places].flatMap(([key, where]) =>
    new Set(where).size > 1 ? [`${key} more than once: ${where.join(', ')}`] : [],
  );
}
