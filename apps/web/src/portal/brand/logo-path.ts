import type { Organization } from '@heliograph/client';

/**
 * Where these pages find a logo: at their own host, which the policy of the pages lets pictures come from, whichever of
 * the service's hosts that is.
 */
export function logoPath({ logo }: Pick<Organization, 'logo'>): string | null {
  return logo === null ? null : new URL(logo, location.origin).pathname;
}
