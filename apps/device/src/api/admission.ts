import type { FastifyRequest } from 'fastify';
import { credentialsOfHeader } from '../auth/credentials.ts';
import type { Guard } from '../auth/guard.ts';
import { originOf } from './origin.ts';

/** Lets a request in, before its body is read, and notes who asks as its `caller`. */
export type Admit = (request: FastifyRequest) => Promise<void>;

export function admission(guard: Guard): Admit {
  return async (request) => {
    const credentials = credentialsOfHeader(request.headers.authorization);
    request.setDecorator('caller', await guard.admit(credentials, originOf(request.raw)));
  };
}
