import type { ConsentRequest, ConsentSite, Organization, Scope } from '@heliograph/contracts';
import type { IdentityClaims } from '../identity/claims.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

export interface ConsentRequestDetails {
  readonly request: AuthorizationRequest;
  /** The owner of the application; undefined for an agent. */
  readonly organization: Organization | undefined;
  /** The person who is signed in. */
  readonly user: IdentityClaims | undefined;
  /** Whether the person is the one that the program requires, with a sign-in recent enough for it. */
  readonly isSignedInFor: boolean;
  readonly choosesSite: boolean;
  readonly siteChosenBefore: ConsentSite | null;
}

export function presentConsentRequest(details: ConsentRequestDetails): ConsentRequest {
  const { request, organization, user, isSignedInFor } = details;
  const mustSignInAgain = user !== undefined && !isSignedInFor;
  const isRequestedUser = request.userId === null || String(request.userId) === user?.sub;
  return {
    application: {
      name: request.clientName,
      kind: request.kind,
      published_at: request.publishedAt,
      redirect_host: request.redirectHost,
    },
    organization: organization ?? null,
    scopes: request.scopes.map((name) => ({ name, text: SCOPE_LABELS[name] ?? name })),
    user: user === undefined || mustSignInAgain ? null : { name: user.name, email: user.email },
    signs_in_again: mustSignInAgain,
    login_hint: mustSignInAgain && isRequestedUser ? user.email : request.loginHint,
    chooses_site: details.choosesSite,
    site_chosen_before: details.siteChosenBefore,
  };
}

export function presentConsentSite(site: ConsentSite): ConsentSite {
  const { id, name, description, state, last_seen_at } = site;
  return { id, name, description, state, last_seen_at };
}

/** Labels of the scopes on the consent page. The first two are those of the specification. */
const SCOPE_LABELS: Partial<Record<Scope, string>> = {
  openid: 'View your basic profile information (such as name and email address).',
  'sites:read_single': 'Read only access to the selected site and its associated monitoring data.',
  'sites:read_all': 'Read only access to every site that you can see and its monitoring data.',
  'users:read_all': 'Read the names and addresses of the people whom you can see.',
  'orders:read_all': 'Read your shop orders.',
  'products:read_all': 'Read the product catalogue.',
};
