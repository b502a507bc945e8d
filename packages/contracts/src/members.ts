import { type Static, Type } from 'typebox';
import { EMAIL_PATTERN, MAX_ID } from './common.ts';
import { SITE_ROLES } from './sites.ts';

/** Roles as clients may write them: `viewer` is an older word for `member`. */
export const WritableRole = Type.Enum([...SITE_ROLES, 'viewer'], {
  description: 'owner hands the ownership of the site over; viewer is another word for member',
});
export type WritableRole = Static<typeof WritableRole>;

const newAccountName = { description: 'Required when the address has no account yet', maxLength: 255 };

export const InviteMemberBody = Type.Object({
  email: Type.String({ maxLength: 320, pattern: EMAIL_PATTERN }),
  role: WritableRole,
  first_name: Type.Optional(Type.Union([Type.String(newAccountName), Type.Null()])),
  last_name: Type.Optional(Type.Union([Type.String(newAccountName), Type.Null()])),
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

export const ChangeMemberBody = Type.Object({ role: WritableRole });
export type ChangeMemberBody = Static<typeof ChangeMemberBody>;

export const SiteMemberParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The site' }),
  user_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});

/**
 * Somebody lost access to a site, or the right to change its settings: site tokens issued to the account for the
 * site before are no longer good.
 */
export const SiteRevocation = Type.Object({
  site_id: Type.Integer(),
  user_id: Type.Integer(),
  revoked_at: Type.String({ format: 'date-time' }),
});
export type SiteRevocation = Static<typeof SiteRevocation>;
