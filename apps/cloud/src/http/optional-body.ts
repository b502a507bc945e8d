import type { preValidationAsyncHookHandler } from 'fastify';

/** Before a route whose body is all options: none at all, and null, are taken as one that names none. */
export const optionalBody: preValidationAsyncHookHandler = async (request) => {
  request.body ??= {};
};
