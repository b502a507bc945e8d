import type { ConsentRequest, ConsentSite, Organization } from '@heliograph/contracts';
import type { IdentityClaims } from '../../features/identity/service.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { SCOPE_TEXTS } from './scope-texts.ts';

export interface ConsentRequestDetails {
  readonly asked: AuthorizationRequest;
  /** Whose application it is; undefined for an agent. */
  readonly organization: Organization | undefined;
  /** Whoever is signed in. */
  readonly user: IdentityClaims | undefined;
  /** Whether they are whom the program wants, signed in as late as it wants it. */
  readonly isSignedInFor: boolean;
  readonly choosesSite: boolean;
  readonly siteChosenBefore: ConsentSite | null;
}

export function presentConsentRequest(asking: ConsentRequestDetails): ConsentRequest {
  const { asked, organization, user, isSignedInFor } = asking;
  const mustAgain = user !== undefined && !isSignedInFor;
  const isWanted = asked.userId === null || String(asked.userId) === user?.sub;
  return {
    application: {
      name: asked.clientName,
      kind: asked.kind,
      published_at: asked.publishedAt,
      redirect_host: asked.redirectHost,
    },
    organization: organization ?? null,
    scopes: asked.scopes.map((name) => ({ name, text: SCOPE_TEXTS[name] ?? name })),
    user: user === undefined || mustAgain ? null : { name: user.name, email: user.email },
    signs_in_again: mustAgain,
    login_hint: mustAgain && isWanted ? user.email : asked.loginHint,
    chooses_site: asking.choosesSite,
    site_chosen_before: asking.siteChosenBefore,
  };
}

export function presentConsentSite({ id, name, description }: ConsentSite): ConsentSite {
  return { id, name, description };
}
