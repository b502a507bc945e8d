import { Forbidden } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { type Caller, NO_CONFIGURATION, READ_ONLY } from '../auth/caller.ts';
import { type Credentials, credentialsOfHeader } from '../auth/credentials.ts';
import type { Guard } from '../auth/guard.ts';
import { originOf } from './origin.ts';
import { sessionOf } from './session-cookie.ts';

/** Lets a request in, before its body is read, and notes who asks as its `caller`. */
export type Admit = (request: FastifyRequest) => Promise<void>;

export function admission(guard: Guard): Admit {
  return async (request) => {
    request.setDecorator('caller', await guard.admit(credentialsOf(request), originOf(request.raw)));
  };
}

/** As {@link admission}, for operations that are for who may configure the device alone. */
export function configurationAdmission(admit: Admit): Admit {
  return async (request) => {
    await admit(request);
    const { mayWrite, mayConfigure } = request.getDecorator<Caller>('caller');
    if (!mayConfigure) throw new Forbidden(mayWrite ? NO_CONFIGURATION : READ_ONLY);
  };
}

/** The credentials of a request; a header outranks the cookie that a browser adds by itself. */
export function credentialsOf({ raw, headers, method }: FastifyRequest): Credentials | undefined {
  return credentialsOfHeader(headers.authorization) ?? sessionOf({ headers, method, via: originOf(raw).via });
}
