import { type Static, Type } from 'typebox';
import { DateTime, MAX_ID, nullable } from './common.ts';

export const SITE_ROLES = ['owner', 'admin', 'member'] as const;
export type SiteRole = (typeof SITE_ROLES)[number];

export const SiteMember = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Type.Enum([...SITE_ROLES]),
});
export type SiteMember = Static<typeof SiteMember>;

const summaryFields = {
  id: Type.Integer(),
  name: nullable(Type.String({ description: "Also the site's hostname on the proxy" })),
  description: nullable(Type.String()),
  proxy: nullable(Type.String()),
  arch: nullable(Type.String()),
  board: nullable(Type.String()),
  beta: Type.Boolean(),
  build_date: nullable(DateTime),
  last_seen_at: nullable(DateTime),
  local_ip: nullable(Type.String()),
  inverter: nullable(Type.String()),
  inverter_count: Type.Integer(),
  inverter_params: Type.Record(Type.String(), Type.Unknown()),
  battery: nullable(Type.String()),
  battery_count: Type.Integer(),
  battery_params: Type.Record(Type.String(), Type.Unknown()),
  owner: SiteMember,
  url: nullable(Type.String({ description: 'Where the site can be browsed; null while unnamed' })),
};

export const SiteSummary = Type.Object(summaryFields);
export type SiteSummary = Static<typeof SiteSummary>;

export const Site = Type.Object({
  ...summaryFields,
  organization: nullable(
    Type.Object({ id: Type.Integer(), name: Type.String(), cloud_host: nullable(Type.String()) }),
  ),
  users: Type.Array(SiteMember),
});
export type Site = Static<typeof Site>;

export const SiteAuthorization = Type.Object({
  host: Type.String(),
  site_host: Type.Optional(Type.String()),
  site_id: Type.Integer(),
  site_name: Type.Optional(Type.String()),
  site_key: Type.String(),
  local_ip: Type.Optional(Type.String()),
  token: Type.String(),
});
export type SiteAuthorization = Static<typeof SiteAuthorization>;

export const SiteParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

/** Longest accepted list page; a client asking for more is served this many. */
export const MAX_LIMIT = 200;

export const ListQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 20 })),
  q: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type ListQuery = Static<typeof ListQuery>;

/** A name that is too long or no hostname is refused with a message for its field, not as unreadable. */
export const RegisterSiteBody = Type.Object({
  uid: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
});
export type RegisterSiteBody = Static<typeof RegisterSiteBody>;
