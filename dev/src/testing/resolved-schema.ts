/** A schema of a published document with the components that it refers to in place. */
export function resolvedSchema(node: unknown, schemas: Readonly<Record<string, object>>): unknown {
  if (Array.isArray(node)) return node.map((each) => resolvedSchema(each, schemas));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return resolvedSchema(schemas[String(node.$ref).split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, resolvedSchema(value, schemas)]),
  );
}
