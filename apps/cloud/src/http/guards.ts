import type { Scope } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import { type Caller, requireAnyScope, requireSession } from '../features/tokens/policy.ts';
import { type Visitor, visitorFrom } from '../visitor.ts';
import type { App } from './app-type.ts';

export interface Authenticator {
  /** @throws Unauthorized */
  authenticate(token: string, visitor: Visitor): Promise<Caller>;
}

/** What stands before a route. Guards run before the body is read and before anything is validated. */
export interface Guards {
  /** Any valid token. */
  readonly anyToken: onRequestAsyncHookHandler;
  /** A valid token with at least one of the scopes. */
  scope(...scopes: readonly Scope[]): onRequestAsyncHookHandler;
  /** A session: what only the person may do. */
  readonly session: onRequestAsyncHookHandler;
}

/** What a guard demands of a token besides being valid. */
export type Demand =
  | { readonly kind: 'scopes'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'session' };

/** The contract reads here what the routes' guards demand, so that it is written down once. */
const demands = new WeakMap<object, Demand>();

/** What a route's guard demands; undefined for a route without one. */
export function demandOf({ onRequest = [] }: Pick<RouteOptions, 'onRequest'>): Demand | undefined {
  return [onRequest]
    .flat()
    .map((hook) => demands.get(hook))
    .find((demand) => demand !== undefined);
}

export function createGuards(app: App, tokens: Authenticator): Guards {
  app.decorateRequest('caller');
  const guard = (demand: Demand): onRequestAsyncHookHandler => {
    const hook: onRequestAsyncHookHandler = async (request) => {
      const caller = await tokens.authenticate(bearerToken(request), visitorFrom(request.ip));
      if (demand.kind === 'session') requireSession(caller);
      else requireAnyScope(caller, demand.anyOf);
      request.setDecorator('caller', caller);
    };
    demands.set(hook, demand);
    return hook;
  };
  const scope = (...anyOf: readonly Scope[]) => guard({ kind: 'scopes', anyOf });
  return { anyToken: scope(), scope, session: guard({ kind: 'session' }) };
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
