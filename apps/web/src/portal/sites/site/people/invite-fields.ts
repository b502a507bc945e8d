import type { FieldErrors } from '../../../../shared/errors/error-message.ts';

const MESSAGES = {
  email: 'invite.emailWrong',
  first_name: 'invite.nameNeeded',
  last_name: 'invite.nameNeeded',
} as const;

/**
 * The error of a field of an invitation, as a key of the texts. The cloud names the fields of a new person with and
 * without the prefix `user`.
 */
export function inviteFieldMessage<F extends keyof typeof MESSAGES>(
  fields: FieldErrors,
  field: F,
): (typeof MESSAGES)[F] | undefined {
  return field in fields || `user.${field}` in fields ? MESSAGES[field] : undefined;
}
