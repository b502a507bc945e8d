import { type Static, Type } from 'typebox';

/** States of a site, those that need attention first. */
export const SITE_STATES = ['hardware_silent', 'offline', 'never_seen', 'online'] as const;
export type SiteState = (typeof SITE_STATES)[number];

/** Counts and chosen orders of the list of sites take so many sites, the first ones of the list in its own order. */
export const MAX_SORTED_SITES = 10_000;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_SORTED_SITES, description });

export const SiteCounts = Type.Object({
  hardware_silent: count('Connected, but hardware does not answer the device'),
  offline: count('Not connected now'),
  never_seen: count('The device never reached the cloud'),
  online: count('Connected, and all hardware answers'),
  alerts: Type.Object(
    { critical: count('Critical'), warning: count('A warning'), information: count('Information') },
    { description: 'Of all these, the sites with an open alert, by the severity of the worst one' },
  ),
  complete: Type.Boolean({
    description: `False where more than ${MAX_SORTED_SITES} sites match, of which the first ones are counted`,
  }),
});
export type SiteCounts = Static<typeof SiteCounts>;
