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
  /** @throws SignInAgain when the person of a session has not proved who they are for too long */
  requireFresh(caller: Caller): void;
}

/** Sign-ins that wait for a first second factor to be set up. */
export interface EnrolmentGate {
  /** @throws Unauthorized */
  enrollee(pendingToken: string, clientAddress: ClientAddress): Promise<Enrollee>;
}

/** What stands before a route. Guards run before the body is read and before anything is validated. */
export interface Guards {
  /** Any valid token. */
  readonly anyToken: onRequestAsyncHookHandler;
  /** A valid token with at least one of the scopes. */
  scope(...scopes: readonly Scope[]): onRequestAsyncHookHandler;
  /** A session: what only the person may do. */
  readonly session: onRequestAsyncHookHandler;
  /** A session whose person has proved within the last 15 minutes who they are. */
  readonly freshSession: onRequestAsyncHookHandler;
  /** The same; or the token of a sign-in that waits for a first second factor to be set up. */
  readonly enrolment: onRequestAsyncHookHandler;
}

/** What a guard demands of a token besides being valid. */
export type Requirement =
  | { readonly kind: 'scopes'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'session' }
  | { readonly kind: 'fresh_session' }
  | { readonly kind: 'enrolment' };

/** The contract reads here what the routes' guards demand, so that it is written down once. */
const demands = new WeakMap<object, Requirement>();

/** What a route's guard demands; undefined for a route without one. */
export function requirementOf({ onRequest = [] }: Pick<RouteOptions, 'onRequest'>): Requirement | undefined {
  return [onRequest]
    .flat()
    .map((hook) => demands.get(hook))
    .find((demand) => demand !== undefined);
}

export function createGuards(app: App, tokens: Authenticator, gate: EnrolmentGate): Guards {
  app.decorateRequest('caller');
  app.decorateRequest('enrollee');
  const guard = (demand: Requirement): onRequestAsyncHookHandler => {
    const hook: onRequestAsyncHookHandler = async (request) => {
      const token = bearerToken(request);
      const clientAddress = clientAddressFrom(request.ip);
      if (demand.kind === 'enrolment' && token.startsWith(TOKEN_PREFIXES.once)) {
        request.setDecorator('enrollee', await gate.enrollee(token, clientAddress));
        return;
      }
      const caller = await tokens.authenticate(token, clientAddress);
      if (demand.kind === 'scopes') requireAnyScope(caller, demand.anyOf);
      else requireSession(caller);
      if (demand.kind === 'fresh_session' || demand.kind === 'enrolment') tokens.requireFresh(caller);
      request.setDecorator('caller', caller);
    };
    demands.set(hook, demand);
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

/** Whose second factor a route behind `freshSession` or `enrolment` is about. */
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
