export const SITE_ROLES = ['owner', 'admin', 'member'] as const;
export type SiteRole = (typeof SITE_ROLES)[number];

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
