import type { preValidationAsyncHookHandler } from 'fastify';

/** Replaces a missing body by an empty object, for routes whose fields are all optional. */
export const optionalBody: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};
