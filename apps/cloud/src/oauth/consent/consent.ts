import { randomBytes } from 'node:crypto';
import type { ConsentRequest, ConsentSite, ConsentSitesQuery } from '@heliograph/contracts';
import { Unauthorized, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { IdentityPlatform } from '../../identity/platform.ts';
import { authenticateSession } from '../../identity/tokens/authentication.ts';
import { getOrganization } from '../../organizations/organizations/organizations.ts';
import type { SiteListPlatform } from '../../sites/platform.ts';
import { listSites } from '../../sites/sites/list-sites.ts';
import { findRecord } from '../../sites/sites/records.ts';
import { findClient } from '../applications/clients.ts';
import { addGrant, siteChosenBefore } from '../grants/grants.ts';
import { claimsOf, signedInAt } from '../identity/identity.ts';
import type { OAuthServer } from '../server.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { presentConsentRequest, presentConsentSite } from './present.ts';

/** Sites of the list that a person chooses from; a search finds others. */
const SITES_SHOWN = 50;

/** Ground of the consent page, where people decide about the requests of programs. */
export interface ConsentPlatform extends IdentityPlatform, SiteListPlatform {
  readonly oauth: OAuthServer;
}

/** The person who is signed in, and the time of the sign-in. */
export interface Person {
  readonly caller: Caller;
  readonly signedInAt: Date;
}

/** The person of a session token; undefined without one, for another kind of token, and for an ended session. */
export async function personBehind(
  platform: ConsentPlatform,
  token: string | undefined,
  clientAddress: ClientAddress,
): Promise<Person | undefined> {
  if (token === undefined) return undefined;
  try {
    const caller = await authenticateSession(platform, token, clientAddress);
    if (caller === undefined) return undefined;
    const at = await signedInAt(platform.db, caller);
    return { caller, signedInAt: at };
  } catch (error) {
    if (error instanceof Unauthorized) return undefined;
    throw error;
  }
}

/** The content of the page. A person who has to sign in again counts as signed out. */
export async function getConsentRequest(
  platform: ConsentPlatform,
  authorization: AuthorizationRequest,
  person: Person | undefined,
): Promise<ConsentRequest> {
  const isRequestedPerson = person !== undefined && isSignedInFor(authorization, person);
  const [organization, user, siteChosenBefore] = await Promise.all([
    organizationOf(platform, authorization),
    person && claimsOf(platform.db, person.caller.userId),
    isRequestedPerson ? siteChosen(platform, authorization, person.caller) : null,
  ]);
  return presentConsentRequest({
    request: authorization,
    organization,
    user,
    isSignedInFor: isRequestedPerson,
    choosesSite: choosesSite(authorization),
    siteChosenBefore,
  });
}

/** Up to SITES_SHOWN of the person's own sites that match. */
export async function listConsentSites(
  platform: ConsentPlatform,
  { caller }: Person,
  { q = '' }: ConsentSitesQuery,
): Promise<ConsentSite[]> {
  return ownSites(platform, caller, q);
}

async function ownSites(platform: ConsentPlatform, caller: Caller, q: string): Promise<ConsentSite[]> {
  // Employees and operators see sites of others as well. Behind a long search the term would be left out.
  const terms = `user_id:${caller.userId} ${q}`;
  const sites = await listSites(platform, caller, { query: { q: terms, offset: 0, limit: SITES_SHOWN } });
  return sites.map(presentConsentSite);
}

/** @throws Unauthorized when the page shows another account than the one that is signed in now */
export async function requireShown(
  platform: ConsentPlatform,
  { caller }: Person,
  email: string,
): Promise<void> {
  const shown = await claimsOf(platform.db, caller.userId);
  if (shown?.email !== email) throw new Unauthorized('Another account is signed in');
}

/**
 * Grants the requested scopes.
 *
 * @param siteId the chosen site, for requests of one
 * @returns the URL that the browser goes to next
 * @throws ValidationError without a site of the person's own; NotFound when the request was answered before
 */
export async function allowConsent(
  platform: ConsentPlatform,
  authorization: AuthorizationRequest,
  person: Person,
  siteId: number | null,
): Promise<string> {
  const { caller, signedInAt } = person;
  const chosen = choosesSite(authorization) ? await chosenSite(platform, caller, siteId) : null;
  await authorization.claim();
  const grantId = await grant(platform, authorization, caller, chosen);
  return authorization.answer({ userId: caller.userId, signedInAtMs: signedInAt.getTime(), grantId });
}

/** @returns the URL that the browser goes to next @throws NotFound when the request was answered before */
export async function denyConsent(authorization: AuthorizationRequest): Promise<string> {
  await authorization.claim();
  return authorization.answer('denied');
}

async function organizationOf(platform: ConsentPlatform, { clientId }: AuthorizationRequest) {
  const { organizationId = null } = (await findClient(platform.db, clientId)) ?? {};
  return organizationId === null ? undefined : getOrganization(platform, organizationId);
}

async function siteChosen(
  platform: ConsentPlatform,
  { clientId }: AuthorizationRequest,
  caller: Caller,
): Promise<ConsentSite | null> {
  const siteId = await siteChosenBefore(platform.db, caller.userId, clientId);
  if (siteId === null) return null;
  const [site = null] = await ownSites(platform, caller, `id:${siteId}`);
  return site;
}

async function chosenSite(platform: ConsentPlatform, caller: Caller, siteId: number | null): Promise<number> {
  if (siteId === null) throw new ValidationError({ site_id: ["can't be blank"] });
  const site = await ownSite(platform, caller, siteId);
  if (site === undefined) throw new ValidationError({ site_id: ['is not one of your sites'] });
  return site.id;
}

/** Employees and operators see sites of others; sharing these with a third party is not theirs to decide. */
async function ownSite(platform: ConsentPlatform, caller: Caller, siteId: number) {
  const site = await findRecord(platform.db, caller, siteId);
  return site === undefined || site.role === null ? undefined : site;
}

async function grant(
  platform: ConsentPlatform,
  authorization: AuthorizationRequest,
  caller: Caller,
  siteId: number | null,
): Promise<string> {
  const { clientId, clientName, scopes, resource } = authorization;
  const id = randomBytes(24).toString('base64url');
  const application = await findClient(platform.db, clientId);
  await addGrant(platform, caller, {
    id,
    clientId,
    clientName,
    organizationId: application?.organizationId ?? null,
    userId: caller.userId,
    siteId,
    scopes,
  });
  const { Grant } = platform.oauth.provider();
  const grant = new Grant({ accountId: String(caller.userId), clientId });
  grant.jti = id;
  grant.addOIDCScope(scopes.join(' '));
  if (resource !== null) grant.addResourceScope(resource, scopes.join(' '));
  await grant.save();
  return id;
}

/** Whether the person is the one that the program requires, with a sign-in recent enough for it. */
export function isSignedInFor(
  { signedInSinceMs, userId }: AuthorizationRequest,
  { signedInAt, caller }: Person,
): boolean {
  return signedInAt.getTime() >= signedInSinceMs && (userId === null || userId === caller.userId);
}

/** Whether the program requests one site, which the person has to choose. */
function choosesSite({ scopes }: AuthorizationRequest): boolean {
  return scopes.includes('sites:read_single');
}
