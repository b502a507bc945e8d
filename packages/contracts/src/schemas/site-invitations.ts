import { type Static, Type } from 'typebox';
import { MAX_ID, nullable } from './common.ts';
import { SITE_ROLES } from './site-members.ts';

/** A role on a site that was given to the caller, who has not accepted it. */
export const SiteInvitation = Type.Object(
  {
    site: Type.Object({ id: Type.Integer(), name: nullable(Type.String()) }),
    role: Type.Enum([...SITE_ROLES], { description: 'The role, which the account has already' }),
    invited_by: nullable(
      Type.String({ description: 'Name of the inviter, or the email address; null for an operator' }),
    ),
    former_owner: nullable(
      Type.String({
        description: 'Who gets the site back when it is declined; null unless it was handed over',
      }),
    ),
    created_at: Type.String({ format: 'date-time' }),
  },
  { description: 'A role on a site that the account has not accepted yet' },
);
export type SiteInvitation = Static<typeof SiteInvitation>;

export const SiteInvitationParams = Type.Object({
  site_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});

export const AcceptSiteInvitationBody = Type.Object({
  keep_former_owner: Type.Optional(
    Type.Boolean({
      description: 'Of a site that was handed over: whether the former owner stays an admin. Default: false',
    }),
  ),
});
export type AcceptSiteInvitationBody = Static<typeof AcceptSiteInvitationBody>;
