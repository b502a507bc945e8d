import type { Requirement } from '@heliograph/contracts';
import { PAGE_ACCOUNT_HEADER } from '@heliograph/contracts/page-account';
import type { Guards } from '@heliograph/http/api';
import type { BodySender, BodyShare } from '@heliograph/http/body-budget';
import { type Clock, Unauthorized } from '@heliograph/kit';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import {
  actorOf,
  atPortal,
  type Caller,
  type Enrollee,
  type Resource,
  requireAnyScope,
  requireFreshSignIn,
  requireOwnToken,
  requireSession,
} from '../access/caller.ts';
import { requireSite } from '../access/site-access.ts';
import { type ClientAddress, clientAddressFrom } from '../common/client-address.ts';
import { OtherAccountSignedIn } from '../common/errors.ts';
import { TOKEN_PREFIXES } from '../common/secrets/opaque-token.ts';
import type { Database } from '../db/open.ts';
import type { App } from './app-type.ts';

/** A device whose proof was verified. */
export interface ProvenDevice {
  readonly uid: string;
  readonly siteId: number;
}

export interface GuardsOptions {
  readonly db: Database;
  /** @throws Unauthorized */
  readonly authenticate: (token: string, clientAddress: ClientAddress, resource: Resource) => Promise<Caller>;
  readonly clock: Clock;
  /** The account of a pending sign-in that must set up a first second factor. @throws Unauthorized */
  readonly enrollee: (pendingToken: string, clientAddress: ClientAddress) => Promise<Enrollee>;
  /** A proxy by the credential that it shows. @throws Unauthorized, Forbidden for that of another proxy */
  readonly authenticateProxy: (
    credential: string,
    proxyName: string,
    clientAddress: ClientAddress,
  ) => Promise<void>;
  /** @returns the site of a device, by the proof of its key @throws Unauthorized, Forbidden, TooManyRequests */
  readonly admitDevice: (uid: string, proof: string, clientAddress: ClientAddress) => Promise<number>;
}

/**
 * Hooks that authenticate and authorize a request before its body is read and before any input is validated, and one that
 * decides about the site in the path after it.
 */
export function createGuards(
  app: App,
  { db, authenticate, clock, enrollee, authenticateProxy, admitDevice }: GuardsOptions,
): Guards {
  app.decorateRequest('caller');
  app.decorateRequest('enrollee');
  app.decorateRequest('device');
  app.decorateRequest('proxyName');
  app.decorateRequest('site');
  app.decorateRequest('isFromPortal', false);

  const admitProxy: onRequestAsyncHookHandler = async (request) => {
    const { name = '' } = request.params as { readonly name?: string };
    await authenticateProxy(bearerToken(request), name, clientAddressFrom(request.ip));
    request.setDecorator('proxyName', name);
  };

  const admitProvenDevice: onRequestAsyncHookHandler = async (request) => {
    const { uid } = request.query as { readonly uid?: unknown };
    const device = typeof uid === 'string' ? uid : '';
    const siteId = await admitDevice(device, bearerToken(request), clientAddressFrom(request.ip));
    request.setDecorator<ProvenDevice>('device', { uid: device, siteId });
  };

  const admitCaller =
    (
      requires: Exclude<Requirement, 'nothing' | 'proxy' | 'device'>,
      resource: Resource,
    ): onRequestAsyncHookHandler =>
    async (request) => {
      const token = bearerToken(request);
      const clientAddress = clientAddressFrom(request.ip);
      if (requires === 'enrolment' && token.startsWith(TOKEN_PREFIXES.once)) {
        request.setDecorator('enrollee', await enrollee(token, clientAddress));
        return;
      }
      const known = await authenticate(token, clientAddress, resource);
      const caller = request.getDecorator<boolean>('isFromPortal') ? atPage(request, known) : known;
      if (typeof requires === 'object') requireAnyScope(caller, requires);
      else if (requires === 'own_token') requireOwnToken(caller);
      else requireSession(caller);
      if (requires === 'fresh_session' || requires === 'enrolment') requireFreshSignIn(caller, clock.now());
      request.setDecorator('caller', caller);
    };

  return {
    of({ requires, takesMcpTokens }) {
      if (requires === 'nothing') return undefined;
      if (requires === 'device') return admitProvenDevice;
      return requires === 'proxy' ? admitProxy : admitCaller(requires, takesMcpTokens ? 'any' : 'api');
    },
    permit({ permission }) {
      if (permission === undefined) return undefined;
      return async (request) => {
        const { id } = request.params as { readonly id: number };
        request.setDecorator('site', await requireSite(db, callerOf(request), id, permission));
      };
    },
  };
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Memory for the large bodies of one process: half of what it takes, as a body is copied once when it is complete. */
export const BODY_SHARES = {
  account: { each: 20 * MIB, all: 64 * MIB },
  /** Of devices, so that no backups stop alerts. */
  backup: { each: 16 * MIB, all: 64 * MIB },
  /** Two uploads of each. */
  device: { each: 512 * KIB, all: 64 * MIB },
  proxy: { each: 16 * MIB, all: 64 * MIB },
  /** Callers without a credential. */
  network: { each: MIB, all: 16 * MIB },
} satisfies Readonly<Record<string, BodyShare>>;

/** The sender of an admitted request. */
export function bodySenderOf(request: FastifyRequest): BodySender<keyof typeof BODY_SHARES> {
  const caller = request.getDecorator<Caller | undefined>('caller');
  if (caller !== undefined) return { kind: 'account', id: String(caller.userId) };
  const device = request.getDecorator<ProvenDevice | undefined>('device');
  if (device !== undefined) {
    const isBackup = request.routeOptions.config.operation?.id === 'storeDeviceBackup';
    return { kind: isBackup ? 'backup' : 'device', id: device.uid };
  }
  const proxyName = request.getDecorator<string | undefined>('proxyName');
  if (proxyName !== undefined) return { kind: 'proxy', id: proxyName };
  return { kind: 'network', id: clientAddressFrom(request.ip).network ?? 'unknown' };
}

/** @throws OtherAccountSignedIn when the page was rendered for another account */
function atPage({ headers }: Pick<FastifyRequest, 'headers'>, caller: Caller): Caller {
  const account = headers[PAGE_ACCOUNT_HEADER];
  if (account !== undefined && account !== String(caller.userId)) throw new OtherAccountSignedIn();
  return atPortal(caller);
}

/** Marks a request of a page of the portal, whose session has more scopes there. */
export function markFromPortal(request: Pick<FastifyRequest, 'setDecorator'>): void {
  request.setDecorator('isFromPortal', true);
}

/** The caller of a guarded route. */
export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  const caller = request.getDecorator<Caller | undefined>('caller');
  if (caller === undefined) throw new Error('The route has no guard');
  return caller;
}

/** The device of a route that requires one. */
export function deviceOf(request: Pick<FastifyRequest, 'getDecorator'>): ProvenDevice {
  const device = request.getDecorator<ProvenDevice | undefined>('device');
  if (device === undefined) throw new Error('The route has no guard');
  return device;
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
