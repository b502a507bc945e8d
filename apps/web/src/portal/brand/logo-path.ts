import type { Organization } from '@heliograph/client';

/** The path of a logo at the host of these pages, since their policy allows images of that host alone. */
export function logoPath({ logo }: Pick<Organization, 'logo'>): string | null {
  return logo === null ? null : new URL(logo, location.origin).pathname;
}
