import { expect, it } from 'vitest';
import { inviteFieldMessage } from './invite-fields.ts';

it.each([
  [{ first_name: "can't be blank" }, 'first_name', 'invite.nameNeeded'],
  [{ 'user.last_name': "can't be blank" }, 'last_name', 'invite.nameNeeded'],
  [{ 'user.email': 'must be one email address, such as name@example.org' }, 'email', 'invite.emailWrong'],
  [{ role: 'is unknown' }, 'email', undefined],
  [{}, 'first_name', undefined],
] as const)('the errors %j have a message for the field %s', (fields, field, message) => {
  expect(inviteFieldMessage(fields, field)).toBe(message);
});
