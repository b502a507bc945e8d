import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileValidator } from './validator.ts';

const Body = Type.Object(
  {
    id: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    name: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 3 }), Type.Null()])),
    role: Type.Optional(Type.Enum(['owner', 'member'])),
    value: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 1, uniqueItems: true })),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    color: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
    choice: Type.Optional(Type.Union([Type.Integer(), Type.Literal('none')])),
    inner: Type.Optional(Type.Object({ count: Type.Integer() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);

function refusalOf(value: unknown): string | undefined {
  const validate = compileValidator({ schema: Body, httpPart: 'body', method: 'POST', url: '/' });
  const result = validate(value);
  if (typeof result !== 'object' || !('error' in result)) return undefined;
  return result.error instanceof Error ? result.error.message : undefined;
}

describe('the refusal of a body', () => {
  it.each<[unknown, string]>([
    [[], 'The body must be an object, not a list'],
    [{ id: '1' }, 'id must be a whole number, not a text'],
    [{ id: 1.5 }, 'id must be a whole number, not 1.5'],
    [{ id: 0 }, 'id must be at least 1, not 0'],
    [{ id: 10 }, 'id must be at most 9, not 10'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'four' }, 'name must have at most 3 characters, not 4'],
    [{ name: 7 }, 'name must be a text or null, not a number'],
    [{ role: 'root' }, 'role must be "owner" or "member", not "root"'],
    [{ role: 'x'.repeat(41) }, 'role must be "owner" or "member", not a text of 41 characters'],
    [{ role: {} }, 'role must be "owner" or "member", not an object'],
    [{ value: null }, 'value must be a text, a number or true or false, not null'],
    [{ tags: ['a', 'b'] }, 'tags must have at most 1 entries'],
    [{ at: 'tomorrow' }, 'at must be a date and time such as 2026-05-01T12:00:00Z'],
    [{ color: 'red' }, 'color has not the form that is expected here'],
    [{ inner: {} }, 'inner.count is missing'],
    [{ inner: { count: 1, other: 2 } }, 'inner.other is not accepted here'],
    [{ colour: '#ffffff' }, 'colour is not accepted here'],
    [{ toString: 1 }, 'toString is not accepted here'],
    [{ ['k'.repeat(60_000)]: 1 }, `${'k'.repeat(199)}… is not accepted here`],
    [{ 'a/b~c': 1 }, 'a/b~c is not accepted here'],
    [{ choice: 1.5 }, 'choice must be a whole number or "none", not 1.5'],
    [{ choice: 'a secret' }, 'choice must be a whole number or "none", not a text'],
  ])('%j is refused with "%s"', (value, message) => {
    expect(refusalOf(value)).toBe(message);
  });

  it('a body without required fields is refused with their names', () => {
    const schema = Type.Object({ email: Type.String(), role: Type.String() });
    const validate = compileValidator({ schema, httpPart: 'body', method: 'POST', url: '/' });
    expect(validate({})).toMatchObject({ error: { message: 'email, role are missing' } });
  });

  it.each<[object, string]>([
    [{}, 'email, password are missing'],
    [{ email: 'ada@example.org' }, 'password is missing'],
    [{ pending_token: 'x' }, 'email is missing'],
  ])('of alternatives the refusal of %j names the fields of the nearest', (value, message) => {
    const anyOf = ['password', 'pending_token', 'session_token'].map((name) => ({
      required: name === 'session_token' ? [name] : ['email', name],
    }));
    const validate = compileValidator({
      schema: Type.Object({}, { anyOf }),
      httpPart: 'body',
      method: 'POST',
      url: '/',
    });
    expect(validate(value)).toMatchObject({ error: { message } });
  });

  it.each([
    ['5.0', 'limit must be a whole number, not 5.0'],
    ['1.5', 'limit must be a whole number, not 1.5'],
    ['x', 'limit must be a whole number, not "x"'],
    ['x'.repeat(41), 'limit must be a whole number, not a text of 41 characters'],
    [['1', '2'], 'limit must be a whole number, not a list'],
  ])('a parameter of the query that is the number %j is refused with "%s"', (limit, message) => {
    const schema = Type.Object({ limit: Type.Integer() });
    const validate = compileValidator({ schema, httpPart: 'querystring', method: 'GET', url: '/' });
    expect(validate({ limit })).toMatchObject({ error: { message } });
  });

  it('a valid body is accepted', () => {
    expect(refusalOf({ id: 1, name: null, value: false, tags: ['a'] })).toBeUndefined();
  });
});
