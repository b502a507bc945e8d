import type { preSerializationAsyncHookHandler } from 'fastify';

/**
 * Moves the text of `{ error }` to `{ error: { message } }`, which the clients of some operations read. Errors of fields
 * remain unchanged.
 */
export const nestErrors: preSerializationAsyncHookHandler<unknown> = async (_request, reply, payload) => {
  return reply.statusCode >= 400 && hasErrorText(payload) ? { error: { message: payload.error } } : payload;
};

function hasErrorText(payload: unknown): payload is { readonly error: string } {
  return (
    typeof payload === 'object' && payload !== null && 'error' in payload && typeof payload.error === 'string'
  );
}
