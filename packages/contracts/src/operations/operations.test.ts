import { globSync } from 'node:fs';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { type Operation, type OperationDefinition, refusalsOf } from '../common/operation.ts';
import { REFUSAL_DESCRIPTIONS } from '../documents/texts.ts';
import { protocolOperations } from '../oauth/protocols.ts';
import { cloudOperations } from './cloud.ts';
import { deviceOperations } from './device.ts';
import { internalOperations } from './internal.ts';
import { portalOperations } from './portal.ts';

type Group = Readonly<Record<string, Operation>>;
const NOUNS = globSync('../*/*.ts', { cwd: import.meta.dirname }).filter(
  (file) => !/\.test\.ts$|^\.\.\/(operations|documents)\//.test(file),
);
const GROUPS = (
  await Promise.all(
    NOUNS.map(async (file): Promise<Group[]> => {
      const exported: Readonly<Record<string, Group>> = await import(file);
      return Object.entries(exported).flatMap(([name, group]) =>
        name.endsWith('Operations') ? [group] : [],
      );
    }),
  )
).flat();
const CLOUD = [cloudOperations, internalOperations, portalOperations, protocolOperations].flatMap((group) =>
  Object.values<Operation>(group),
);
const DEVICE = Object.values<Operation>(deviceOperations);

/** The fields that a caller gives for a part of the request. */
function fieldsOf(part: OperationDefinition['params' | 'body']): string[] {
  if (part === undefined) return [];
  if (Type.IsObject(part)) return Object.keys(part.properties);
  if ('content' in part) return ['file'];
  throw new TypeError('The schema is neither that of an object nor of bytes');
}

function duplicatesIn(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

describe.each([...CLOUD, ...DEVICE])('$id ($route)', (operation) => {
  const { route, params, query, body } = operation;

  it('the fields of path, query and body have different names', () => {
    expect(duplicatesIn([params, query, body].flatMap(fieldsOf))).toEqual([]);
  });

  it('the params are the parameters of the route', () => {
    const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(fieldsOf(params).sort()).toEqual(parameters.sort());
  });

  it('the document has a description for every refusal', () => {
    const described = Object.keys(REFUSAL_DESCRIPTIONS).map(Number);
    expect(refusalsOf(operation).filter((status) => !described.includes(status))).toEqual([]);
  });
});

describe.each([
  ['the cloud', CLOUD],
  ['a device', DEVICE],
])('the operations of %s', (_server, operations) => {
  it('every id is that of one operation', () => {
    expect(duplicatesIn(operations.map(({ id }) => id))).toEqual([]);
  });

  it('every route is that of one operation, however its parameters are named', () => {
    expect(duplicatesIn(operations.map(({ route }) => route.replaceAll(/\{\w+\}/g, '{}')))).toEqual([]);
  });
});

it('every operation of a noun is in the table of the cloud or of a device', () => {
  const routes = GROUPS.flatMap((group) => Object.values(group).map(({ route, tag }) => `${tag} ${route}`));
  const served = [...CLOUD, ...DEVICE].map(({ route, tag }) => `${tag} ${route}`);
  expect(served.sort()).toEqual(routes.sort());
});
