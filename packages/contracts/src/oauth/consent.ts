import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { SCOPES } from '../common/scopes.ts';
import { Organization } from '../organizations/organizations.ts';
import { Site } from '../sites/site.ts';

export const ConsentSite = Type.Pick(Site, ['id', 'name', 'description', 'state', 'last_seen_at']);
export type ConsentSite = Static<typeof ConsentSite>;

/** The contents of the consent page: program, account, requested scopes and sites. */
export const ConsentRequest = Type.Object({
  application: Type.Object({
    name: Type.String(),
    kind: Type.Enum(['application', 'agent'], {
      description: "An organization's application, or an agent that registered itself",
    }),
    published_at: nullable(
      Type.String({ description: 'The host of the document that an agent names itself by: known for sure' }),
    ),
    redirect_host: Type.String({ description: 'Where the browser goes afterwards' }),
  }),
  organization: nullable(Organization),
  scopes: Type.Array(
    Type.Object({
      name: Type.Enum(Object.keys(SCOPES) as (keyof typeof SCOPES)[]),
      text: Type.String({ description: 'In words for the person who is asked' }),
    }),
  ),
  user: nullable(Type.Object({ name: Type.String(), email: Type.String() })),
  signs_in_again: Type.Boolean({
    description: 'Whether the session is older than the program requires',
  }),
  login_hint: nullable(Type.String({ description: 'The address that the person probably signs in with' })),
  chooses_site: Type.Boolean({ description: 'Whether one of the sites is to be chosen' }),
  site_chosen_before: nullable(ConsentSite),
});
export type ConsentRequest = Static<typeof ConsentRequest>;

export const ConsentParams = Type.Object({ uid: Type.String({ maxLength: 100 }) });

export const ConsentSitesQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
});
export type ConsentSitesQuery = Static<typeof ConsentSitesQuery>;

export const AllowBody = Type.Object({
  site_id: Type.Optional(
    nullable(Type.Integer({ description: 'The chosen site, where one is to be chosen' })),
  ),
  email: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Of the account that the page shows: it alone allows, not one that another tab signs in meanwhile',
    }),
  ),
});
export type AllowBody = Static<typeof AllowBody>;

/** The URL that the browser is redirected to. */
export const ConsentAnswer = Type.Object({ location: Type.String() });
export type ConsentAnswer = Static<typeof ConsentAnswer>;

export const consentOperations = operations('portal', {
  getConsentRequest: {
    route: 'GET /oauth/consent/{uid}/request',
    summary: 'What a program asks the person for',
    requires: 'nothing',
    params: ConsentParams,
    answers: { 200: ConsentRequest },
    refusals: [404],
  },

  listConsentSites: {
    route: 'GET /oauth/consent/{uid}/sites',
    summary: 'Sites that the person may choose from',
    requires: 'nothing',
    params: ConsentParams,
    query: ConsentSitesQuery,
    answers: { 200: Type.Array(ConsentSite) },
    refusals: [401, 404],
  },

  allowConsent: {
    route: 'POST /oauth/consent/{uid}/allow',
    summary: 'Allow the program what it asks for',
    requires: 'nothing',
    params: ConsentParams,
    body: AllowBody,
    invalidFields: 422,
    answers: { 200: ConsentAnswer },
    refusals: [401, 404],
  },

  denyConsent: {
    route: 'POST /oauth/consent/{uid}/deny',
    summary: 'Deny the program what it asks for',
    requires: 'nothing',
    params: ConsentParams,
    answers: { 200: ConsentAnswer },
    refusals: [404],
  },
});
