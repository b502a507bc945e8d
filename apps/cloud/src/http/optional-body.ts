import type { preValidationAsyncHookHandler } from 'fastify';

/** Before a route whose body is all options: no body at all is taken as one that names none. */
export const optionalBody: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};
