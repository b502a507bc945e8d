interface Documented {
  paths?: object;
  components?: { schemas?: object };
}

/**
 * Replaces every schema that equals a named one by a reference to it. Routes validate with whole schemas;
 * only the document separates them.
 */
export function nameSchemas<Document extends Documented>(
  document: Document,
  named: Readonly<Record<string, object>>,
): Document {
  const published = new Map(Object.entries(named).map(([name, schema]) => [name, asPublished(schema)]));
  const names = new Map([...published].map(([name, schema]) => [canonical(schema), name]));
  const schemas: Record<string, unknown> = {};

  const within = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shortened);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, shortened(value)]));
  };
  const shortened = (node: unknown): unknown => {
    const name = names.get(canonical(node));
    if (name === undefined) return within(node);
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = within(published.get(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const paths = within(asPublished(document.paths));
  return { ...document, paths, components: { ...document.components, schemas: sorted(schemas) } };
}

/** The same text for schemas that differ only in the order of their keys. */
function canonical(schema: unknown): string | undefined {
  return JSON.stringify(schema, (_key, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema as the document publishes it: records with any key become additional properties. */
function asPublished(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asPublished);
  if (!isRecord(schema)) return schema;
  const { patternProperties, ...others } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, asPublished(value)]),
  );
  if (!isRecord(patternProperties)) return others;
  return { ...others, additionalProperties: Object.values(patternProperties)[0] };
}
