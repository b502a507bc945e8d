import { type Static, Type } from 'typebox';

export const SITE_ROLES = ['owner', 'admin', 'member'] as const;
export type SiteRole = (typeof SITE_ROLES)[number];

export const SiteMember = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String({ examples: ['ada@example.org'] }),
    first_name: Type.String({ examples: ['Ada'] }),
    last_name: Type.String({ examples: ['Example'] }),
    role: Type.Enum([...SITE_ROLES]),
    pending: Type.Optional(
      Type.Boolean({
        description:
          'Present and true until the person has accepted. Until then address and names are those that the inviter gave, ' +
          'and nothing of the site is sent to the person',
      }),
    ),
  },
  { description: 'A person with access to a site, and their role' },
);
export type SiteMember = Static<typeof SiteMember>;

/** Permissions of a caller on a site. */
export const SITE_PERMISSIONS = [
  /** See the site, its members, and what its device reports. */
  'read',
  /** Read its log: who did what. */
  'audit',
  /** See which organizations and applications read it, and end that. */
  'connections',
  /** Let the organization of an application read it. */
  'share',
  /** Change settings of the hardware. */
  'write',
  /** Change the device: its configuration, probes, password, broker. */
  'configure',
  /** Let support in, by a support recovery session. */
  'consent',
  /** Ask to be let in as support. */
  'support',
  /** Change its name and its description, and who reads it. */
  'manage',
  /** Give and take roles that write. */
  'grant',
  /** Hand it over to another owner. */
  'own',
  /** Give up one's own role. */
  'leave',
] as const;
export type SitePermission = (typeof SITE_PERMISSIONS)[number];
