import { ApiError } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { formErrors } from './use-api-form.ts';

function refusal(status: number, errors: object): ApiError {
  return new ApiError('https://sun.example', status, '', { errors });
}

describe('formErrors', () => {
  it('the messages of a refused field stand under the name of the value in the form', () => {
    expect(
      formErrors(refusal(422, { expires_at: ['is too soon', 'is too late'], name: ['is taken'] })),
    ).toEqual({
      expiresAt: 'is too soon; is too late',
      name: 'is taken',
    });
  });

  it('a failure that is about no field has no errors', () => {
    expect(formErrors(refusal(403, { name: ['is taken'] }))).toEqual({});
    expect(formErrors(new Error('unreachable'))).toEqual({});
  });
});
