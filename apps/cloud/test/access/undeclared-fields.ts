interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/**
 * Paths of fields that a value has and its schema does not declare. A schema without properties, such as that of any object,
 * declares all.
 */
export function undeclaredFields(schema: unknown, value: unknown, path = ''): string[] {
  const { properties, items, anyOf, allOf, patternProperties, additionalProperties } = schema as Schema;
  if (anyOf !== undefined)
    return anyOf
      .filter(({ type }) => type === undefined || type === typeOf(value))
      .map((one) => undeclaredFields(one, value, path))
      .reduce<string[]>(
        (least, other, index) => (index === 0 || other.length < least.length ? other : least),
        [],
      );
  if (allOf !== undefined) {
    const merged = Object.assign({}, ...allOf.map((one) => one.properties));
    return undeclaredFields({ properties: merged }, value, path);
  }
  if (Array.isArray(value))
    return items === undefined
      ? []
      : value.flatMap((one, index) => undeclaredFields(items, one, `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const ofOthers =
    patternProperties === undefined ? additionalProperties : Object.values(patternProperties)[0];
  if (properties === undefined && ofOthers === undefined) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const declared = properties?.[name] ?? ofOthers;
    if (declared === undefined || declared === false) return [`${path}.${name}`];
    return declared === true ? [] : undeclaredFields(declared, field, `${path}.${name}`);
  });
}

/** As schemas name it; that of other values is of no account, as they have no fields. */
function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
