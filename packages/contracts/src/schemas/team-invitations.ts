import { type Static, Type } from 'typebox';
import { MAX_ID, nullable } from './common.ts';
import { SITE_ROLES } from './site-members.ts';

/** An invitation to work for an organization, as the invited account sees it. */
export const TeamInvitation = Type.Object({
  organization: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    logo: nullable(Type.String({ description: 'Where the logo is; null without one' })),
  }),
  role: Type.Enum([...SITE_ROLES], { description: 'What the account becomes in the organization' }),
  invited_by: nullable(Type.String({ description: 'Name of the inviter; null when it is not known' })),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time', description: 'Until when it can be accepted' }),
});
export type TeamInvitation = Static<typeof TeamInvitation>;

export const TeamInvitationParams = Type.Object({
  organization_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});
