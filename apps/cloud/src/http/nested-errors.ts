import type { preSerializationAsyncHookHandler } from 'fastify';

/**
 * For the operations whose clients read `{ error: { message } }`: puts the text of `{ error }` there. Errors of
 * fields stay as they are.
 */
export const nestErrors: preSerializationAsyncHookHandler<unknown> = async (_request, reply, payload) => {
  return reply.statusCode >= 400 && hasErrorText(payload) ? { error: { message: payload.error } } : payload;
};

function hasErrorText(payload: unknown): payload is { readonly error: string } {
  return (
    typeof payload === 'object' && payload !== null && 'error' in payload && typeof payload.error === 'string'
  );
}
