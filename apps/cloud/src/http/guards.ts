import type { Scope } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import { actorOf, type Caller, type Enrollee, requireAnyScope, requireSession } from '../access/caller.ts';
import { type ClientAddress, clientAddressFrom } from '../common/client-address.ts';
import { TOKEN_PREFIXES } from '../secrets/opaque-token.ts';
import type { App } from './app-type.ts';

export interface Authenticator {
  /** @throws Unauthorized */
  authenticate(token: string, clientAddress: ClientAddress): Promise<Caller>;
  /** @throws FreshSignInRequired when the last sign-in of a session is too long ago */
  requireFresh(caller: Caller): void;
}

/** Pending sign-ins that must set up a first second factor. */
export interface EnrolmentGate {
  /** @throws Unauthorized */
  enrollee(pendingToken: string, clientAddress: ClientAddress): Promise<Enrollee>;
}

/** Hooks that authenticate and authorize a request before its body is read and before any input is validated. */
export interface Guards {
  /** Any valid token. */
  readonly anyToken: onRequestAsyncHookHandler;
  /** A valid token with at least one of the scopes. */
  scope(...scopes: readonly Scope[]): onRequestAsyncHookHandler;
  /** A session. */
  readonly session: onRequestAsyncHookHandler;
  /** A session with a sign-in within the last 15 minutes. */
  readonly freshSession: onRequestAsyncHookHandler;
  /** The same, or the token of a pending sign-in that must set up a first second factor. */
  readonly enrolment: onRequestAsyncHookHandler;
}

/** A guard's requirement on a valid token. */
export type Requirement =
  | { readonly kind: 'scopes'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'session' }
  | { readonly kind: 'fresh_session' }
  | { readonly kind: 'enrolment' };

/** Requirements by hook, from which the OpenAPI document takes them. */
const requirements = new WeakMap<object, Requirement>();

/** The requirement of a route's guard; undefined for a route without one. */
export function requirementOf({ onRequest = [] }: Pick<RouteOptions, 'onRequest'>): Requirement | undefined {
  return [onRequest]
    .flat()
    .map((hook) => requirements.get(hook))
    .find((requirement) => requirement !== undefined);
}

export function createGuards(app: App, tokens: Authenticator, gate: EnrolmentGate): Guards {
  app.decorateRequest('caller');
  app.decorateRequest('enrollee');
  const guard = (requirement: Requirement): onRequestAsyncHookHandler => {
    const hook: onRequestAsyncHookHandler = async (request) => {
      const token = bearerToken(request);
      const clientAddress = clientAddressFrom(request.ip);
      if (requirement.kind === 'enrolment' && token.startsWith(TOKEN_PREFIXES.once)) {
        request.setDecorator('enrollee', await gate.enrollee(token, clientAddress));
        return;
      }
      const caller = await tokens.authenticate(token, clientAddress);
      if (requirement.kind === 'scopes') requireAnyScope(caller, requirement.anyOf);
      else requireSession(caller);
      if (requirement.kind === 'fresh_session' || requirement.kind === 'enrolment')
        tokens.requireFresh(caller);
      request.setDecorator('caller', caller);
    };
    requirements.set(hook, requirement);
    return hook;
  };
  const scope = (...anyOf: readonly Scope[]) => guard({ kind: 'scopes', anyOf });
  return {
    anyToken: scope(),
    scope,
    session: guard({ kind: 'session' }),
    freshSession: guard({ kind: 'fresh_session' }),
    enrolment: guard({ kind: 'enrolment' }),
  };
}

/** The caller of a guarded route. */
export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  const caller = request.getDecorator<Caller | undefined>('caller');
  if (caller === undefined) throw new Error('The route has no guard');
  return caller;
}

/** The account whose second factor a route behind `freshSession` or `enrolment` changes. */
export function enrolleeOf(request: Pick<FastifyRequest, 'getDecorator'>): Enrollee {
  const enrollee = request.getDecorator<Enrollee | undefined>('enrollee');
  if (enrollee !== undefined) return enrollee;
  const caller = callerOf(request);
  return { userId: caller.userId, actor: actorOf(caller), pendingSignIn: null };
}

/** @throws Unauthorized when there is none */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new Unauthorized('Send a token: Authorization: Bearer <token>');
  return token;
}
