/** States of a site, those that need attention first. */
export const SITE_STATES = ['hardware_silent', 'offline', 'never_seen', 'online'] as const;
export type SiteState = (typeof SITE_STATES)[number];
