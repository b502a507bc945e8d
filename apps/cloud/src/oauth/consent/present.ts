import type { ConsentRequest, ConsentSite, SiteSummary } from '@heliograph/contracts';
import type { ClientRecord } from '../../features/applications/service.ts';
import type { IdentityClaims } from '../../features/identity/service.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { SCOPE_TEXTS } from './scope-texts.ts';

export interface Asking {
  readonly asked: AuthorizationRequest;
  /** Undefined for an agent without a row. */
  readonly application: ClientRecord | undefined;
  /** Whoever is signed in, as late as the program wants it. */
  readonly user: IdentityClaims | undefined;
  readonly choosesSite: boolean;
  readonly siteChosenBefore: number | null;
}

export function presentConsentRequest(asking: Asking): ConsentRequest {
  const { asked, application, user, choosesSite, siteChosenBefore } = asking;
  const { organizationId, organizationName } = application ?? {
    organizationId: null,
    organizationName: null,
  };
  return {
    application: { name: asked.clientName, kind: asked.kind, redirect_host: asked.redirectHost },
    organization:
      organizationId === null || organizationName === null
        ? null
        : { id: organizationId, name: organizationName },
    scopes: asked.scopes.map((name) => ({ name, text: SCOPE_TEXTS[name] ?? name })),
    user: user === undefined ? null : { name: user.name, email: user.email },
    login_hint: asked.loginHint,
    chooses_site: choosesSite,
    site_chosen_before: siteChosenBefore,
  };
}

export function presentConsentSite({ id, name, description }: SiteSummary): ConsentSite {
  return { id, name, description };
}
