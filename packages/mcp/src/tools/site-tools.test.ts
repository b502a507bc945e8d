import { describe, expect, it } from 'vitest';
import { siteTools } from './site-tools.ts';
import type { ToolDefinition } from './tool.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: unknown;
}

const json = (schema: object): Schema => JSON.parse(JSON.stringify(schema));

/** Every field below a schema with its path. */
function fieldsOf(schema: Schema, path = ''): readonly (readonly [string, Schema])[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [`${path}${name}`, field] as const,
    ...fieldsOf(field, `${path}${name}.`),
  ]);
  const below = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...own, ...below.flatMap((inner) => fieldsOf(inner, path))];
}

describe.each(siteTools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool: ToolDefinition) => {
  it('the input schema is closed and bounds every text and list', () => {
    const input = json(tool.input);
    expect(input.additionalProperties).toBe(false);
    for (const [path, { type, enum: values, items, maxLength, maxItems, description }] of fieldsOf(input)) {
      expect(description, path).toBeTruthy();
      if (type === 'array') expect(maxItems, path).toBeLessThanOrEqual(10);
      if (type === 'array') expect(items?.maxLength, path).toBeLessThanOrEqual(256);
      if (type === 'string' && values === undefined) expect(maxLength, path).toBeLessThanOrEqual(256);
    }
  });

  it('every number of the output has a description and a unit', () => {
    const numbers = fieldsOf(json(tool.output)).filter(([, { type }]) => [type].flat().includes('number'));
    for (const [path, { description = '' }] of numbers) {
      if (/\.(?:mean|min|max)$/.test(path)) continue;
      expect(description, path).not.toBe('');
      if (/_w$/.test(path)) expect(description, path).toMatch(/W/);
      if (/_(?:percent|c|v|s)$/.test(path)) expect(description, path).toMatch(/%|°C|V|seconds/);
    }
  });

  it('the definition is descriptive but short', () => {
    expect(tool.description.length).toBeGreaterThan(200);
    expect(JSON.stringify([tool.description, tool.input]).length).toBeLessThan(5_000);
    expect(JSON.stringify(tool.output).length).toBeLessThan(7_400);
  });
});
