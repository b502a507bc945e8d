import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, bodyOf, fetchDocument, resolved, typesOf } from '../../test/api-document.ts';
import { PUBLISHED_OPERATIONS } from '../../test/published-operations.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let document: ApiDocument;
beforeAll(async () => {
  cloud = await startTestCloud();
  document = await fetchDocument(cloud.url);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

describe.each(PUBLISHED_OPERATIONS)('$route', ({ route, ...expected }) => {
  const [method = '', path = ''] = route.split(' ');
  const operation = () => {
    const found = document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error('The operation is not in the document');
    return found;
  };

  it('the operation has the published id', () => {
    expect(operation().operationId).toBe(expected.id);
  });

  it('the operation requires the published scopes', () => {
    const { scopes } = expected;
    const alternatives = scopes?.length === 0 ? [[]] : (scopes ?? []).map((scope) => [scope]);
    expect(operation().security.map(({ bearer }) => bearer)).toEqual(alternatives);
    for (const scope of scopes ?? []) expect(operation().description).toContain(`\`${scope}\``);
  });

  it('the operation has the published parameters, and requires only those of the path', () => {
    const parameters = operation().parameters ?? [];
    const described = parameters.map((each) => `${each.in} ${each.name} ${each.schema.type}`);
    expect(described).toEqual(expect.arrayContaining([...(expected.parameters ?? [])]));
    for (const { in: place, required } of parameters) expect(required).toBe(place === 'path');
  });

  it('the operation accepts the published body, and requires no other field', () => {
    const { least = [], options = {} } = expected;
    const schema = bodyOf(document, operation());
    expect(schema !== undefined).toBe(least.length > 0);
    if (schema === undefined) return;
    const body = Compile(schema as object);
    for (const smallest of least) {
      expect(body.Check(smallest)).toBe(true);
      expect(body.Check({ ...smallest, ...options })).toBe(true);
      for (const field of Object.keys(smallest)) {
        const { [field]: _left, ...rest } = smallest;
        if (expected.hasSentence) expect(schema.description).toContain(`\`${field}\``);
        else expect([field, body.Check(rest)]).toEqual([field, false]);
      }
    }
    const fields = [...least.flatMap((fields) => Object.keys(fields)), ...Object.keys(options)];
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(fields));
  });

  it('the operation has the published answer', () => {
    const { responses } = operation();
    const [success] = Object.keys(responses).filter((status) => status < '300');
    expect(success).toBe(expected.success);
    const schema = responses[expected.success]?.content?.['application/json']?.schema;
    if (expected.answer === undefined) expect(schema).toBeUndefined();
    else if (schema !== undefined)
      expect(typesOf(resolved(document, schema))).toMatchObject(expected.answer as object);
    else expect.fail('There is no answer');
  });

  it('the operation has the published refusals, and besides at most those of unreadable and too many requests', () => {
    const statuses = Object.keys(operation().responses).filter((status) => status >= '400');
    const expectedStatuses = expected.refusals.split(' ');
    expect(statuses).toEqual(expect.arrayContaining(expectedStatuses));
    const others = statuses.filter((status) => !expectedStatuses.includes(status));
    expect(['400', '413', '415', '429']).toEqual(expect.arrayContaining(others));
  });
});
