import type { Scope } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type Caller, requireAnyScope } from '../features/tokens/policy.ts';
import type { App } from './app-type.ts';

export interface Authenticator {
  /** @throws Unauthorized */
  authenticate(token: string, address: string): Promise<Caller>;
}

/** What stands before a route. Guards run before the body is read and before anything is validated. */
export interface Guards {
  /** Any valid token. */
  readonly anyToken: onRequestAsyncHookHandler;
  /** A valid token with at least one of the scopes. */
  scope(...scopes: readonly Scope[]): onRequestAsyncHookHandler;
}

export function createGuards(app: App, tokens: Authenticator): Guards {
  app.decorateRequest('caller');
  const scope = (...scopes: readonly Scope[]): onRequestAsyncHookHandler => {
    return async (request) => {
      const caller = await tokens.authenticate(bearerToken(request), request.ip);
      requireAnyScope(caller, scopes);
      request.setDecorator('caller', caller);
    };
  };
  return { anyToken: scope(), scope };
}

/** The caller of a guarded route. */
export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  const caller = request.getDecorator<Caller | undefined>('caller');
  if (caller === undefined) throw new Error('The route has no guard');
  return caller;
}

/** @throws Unauthorized when there is none */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new Unauthorized('Send a token: Authorization: Bearer <token>');
  return token;
}
