import { SiteSummary, User } from '@heliograph/contracts';
import { expect, it } from 'vitest';
import { undeclaredFields } from './undeclared-fields.ts';

it.each<[string, object, unknown, string[]]>([
  ['a field beside the declared ones', User, { id: 1, password_hash: 'x' }, ['.password_hash']],
  ['a field within a record', User, { organization: { id: 1, secret: 'x' } }, ['.organization.secret']],
  ['a field of one of a list', { type: 'array', items: SiteSummary }, [{ id: 1 }, { key: 'x' }], ['.1.key']],
  ['no field', User, { id: 1, email: 'a@example.org', organization: null }, []],
  ['no field of a file', {}, { any: 1 }, []],
])('%s is found', (_what, schema, value, found) => {
  expect(undeclaredFields(schema, value)).toEqual(found);
});
