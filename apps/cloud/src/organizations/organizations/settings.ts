import type { ChangeOrganizationBody, Locale } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { readHost } from './host.ts';
import type { OrganizationRecord } from './rows.ts';

/** Settings of an organization by the names of their columns; absent ones are unchanged. */
export interface OrganizationSettings {
  readonly name?: string;
  readonly cloud_host?: string | null;
  readonly color1?: string | null;
  readonly color_dark1?: string | null;
  readonly color2?: string | null;
  readonly color_dark2?: string | null;
  readonly locale?: Locale | null;
  readonly requires_second_factor?: boolean;
}

export type StoredOrganizationSettings = OrganizationSettings & { readonly cloud_host_vetted?: boolean };

/** The property of a record for each column. */
const PROPERTIES = {
  name: 'name',
  cloud_host: 'cloudHost',
  cloud_host_vetted: 'cloudHostVetted',
  color1: 'color1',
  color_dark1: 'colorDark1',
  color2: 'color2',
  color_dark2: 'colorDark2',
  locale: 'locale',
  requires_second_factor: 'requiresSecondFactor',
} as const satisfies Record<keyof StoredOrganizationSettings, keyof OrganizationRecord>;

const COLORS = ['color1', 'color_dark1', 'color2', 'color_dark2'] as const;

/**
 * Errors of the fields that are given.
 *
 * @param reservedHost the service's own, which no organization can have
 */
export function settingsErrors(
  body: Partial<ChangeOrganizationBody>,
  reservedHost: string,
): Record<string, readonly string[]> {
  const host = body.cloud_host == null ? body.cloud_host : readHost(body.cloud_host);
  return {
    ...(body.name?.trim() === '' && { name: ["can't be blank"] }),
    ...(body.cloud_host != null &&
      host === undefined && {
        cloud_host: ['must be a host name such as portal.example.com, with a port if it has one'],
      }),
    ...(host === reservedHost && { cloud_host: ['has already been taken'] }),
  };
}

/** @throws ValidationError that names every field at fault */
export function readSettings(body: ChangeOrganizationBody, reservedHost: string): OrganizationSettings {
  const name = body.name?.trim();
  const host = body.cloud_host == null ? body.cloud_host : readHost(body.cloud_host);
  const errors = settingsErrors(body, reservedHost);
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  const colors = COLORS.flatMap((column) => {
    const color = body[column];
    return color === undefined ? [] : [[column, color?.toLowerCase() ?? null] as const];
  });
  return {
    ...(name !== undefined && { name }),
    ...(host !== undefined && { cloud_host: host }),
    ...(body.locale !== undefined && { locale: body.locale }),
    ...(body.requires_second_factor !== undefined && {
      requires_second_factor: body.requires_second_factor,
    }),
    ...Object.fromEntries(colors),
  };
}

/** @returns the columns that differ, each with what it was and what it becomes */
export function changesOf(
  before: OrganizationRecord,
  after: StoredOrganizationSettings,
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const columns = Object.keys(PROPERTIES) as (keyof StoredOrganizationSettings)[];
  return Object.fromEntries(
    columns
      .map((column) => [column, { from: before[PROPERTIES[column]], to: after[column] }] as const)
      .filter(([, { from, to }]) => to !== undefined && to !== from),
  );
}
