import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cloudDocument } from '../../packages/contracts/src/documents/cloud.ts';
import { deviceDocument } from '../../packages/contracts/src/documents/device.ts';
import { VALUES_OF_SEVERAL_TYPES } from './generators.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
}

const SIMPLE: ReadonlySet<unknown> = new Set(['number', 'integer', 'string', 'boolean', 'null']);

/** Whether it is a choice of several simple types, null aside. */
function hasSimpleTypes({ type, anyOf }: Schema): boolean {
  const types = anyOf?.map((each) => each.type) ?? (Array.isArray(type) ? type : []);
  const known = new Set(types.filter((each) => each !== 'null'));
  return types.every((each) => SIMPLE.has(each)) && known.size > 1;
}

/** The paths of such schemas within a document. */
function simpleChoices(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, each]) => simpleChoices(each, [...path, key]));
  return hasSimpleTypes(value) ? [path.join('/'), ...below] : below;
}

it('all choices of simple types have names, which the generators of PHP and C# and the guide map to one type', () => {
  const documents = [cloudDocument({ oauth: [], tools: [] }), deviceDocument('http://192.0.2.7')];
  const found = new Set(documents.flatMap((document) => simpleChoices(document)));
  expect([...found].toSorted()).toEqual(VALUES_OF_SEVERAL_TYPES.map((name) => `components/schemas/${name}`));
  const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  expect(guide).toContain(`MIXED=${VALUES_OF_SEVERAL_TYPES.map((name) => `${name}=mixed`).join(',')}`);
  expect(guide).toContain('{MIXED//mixed/object}');
});
