import { type Static, Type } from 'typebox';
import { DateTime, EmailAddress, InviteeName, MAX_ID } from './common.ts';
import { SITE_ROLES } from './site-members.ts';

/** Roles as clients may write them: `viewer` is an older word for `member`. */
export const WritableRole = Type.Enum([...SITE_ROLES, 'viewer'], {
  description: 'owner hands the ownership of the site over; viewer is another word for member',
});
export type WritableRole = Static<typeof WritableRole>;

export const InviteMemberBody = Type.Object({
  email: EmailAddress,
  role: WritableRole,
  first_name: InviteeName,
  last_name: InviteeName,
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

export const ChangeMemberBody = Type.Object({ role: WritableRole });
export type ChangeMemberBody = Static<typeof ChangeMemberBody>;

export const SiteMemberParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The site' }),
  user_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});

/** Site tokens for a site that are no longer good. */
export const SiteRevocation = Type.Object({
  site_id: Type.Integer(),
  subject: Type.Optional(
    Type.String({
      description:
        'user:<id>: those issued to the account before; token:<id> or grant:<id>: all that were issued for this session or API token, or for what a user allowed a third party. Left out by a cloud of an earlier release, which means user:<user_id>',
    }),
  ),
  user_id: Type.Integer({ description: 'The account; proxies of an earlier release know nothing narrower' }),
  revoked_at: DateTime,
});
export type SiteRevocation = Static<typeof SiteRevocation>;
