import { type Static, Type } from 'typebox';
import { ANY_TOKEN, NoContent, operations } from '../common/operation.ts';
import { ListQuery } from '../common/page.ts';
import { OrganizationParams } from '../common/params.ts';
import { nullable } from '../common/schemas.ts';
import { SITE_ROLES } from '../common/site-permissions.ts';
import { LOCALES } from '../text/locales.ts';
import { PlainName } from '../text/plain-text.ts';

const color = (description: string) => nullable(Type.String({ description }));

const brandFields = {
  id: Type.Integer(),
  name: Type.String(),
  logo: nullable(Type.String({ description: 'Where the logo is; null without one' })),
  color1: color('Primary colour on light pages, #rrggbb'),
  color_dark1: color('Primary colour on dark pages'),
  color2: color('Secondary colour on light pages'),
  color_dark2: color('Secondary colour on dark pages'),
  color_primary: Type.String({
    description:
      'Of links and buttons on light pages: color1 where it can be read on white, else a neutral one',
  }),
  color_dark_primary: Type.String({
    description:
      'The same on dark pages: color_dark1, or color1, where it can be read there, else a neutral one',
  }),
  cloud_host: nullable(
    Type.String({ description: "Where the organization's pages are, with the port where it is not 443" }),
  ),
};

/** The public facts of an organization, shown on its pages and in its mails. */
export const Organization = Type.Object(brandFields);
export type Organization = Static<typeof Organization>;

/** An organization as its employees see it. */
export const OwnOrganization = Type.Object({
  ...brandFields,
  cloud_host_vetted: Type.Boolean({
    description: 'Whether links in mails lead to cloud_host: only once an operator of the service has set it',
  }),
  requires_second_factor: Type.Boolean({
    description: 'Whether people who work for it need a second factor to sign in',
  }),
  locale: nullable(
    Type.Enum([...LOCALES], {
      description:
        'Language of mails to invited people who have no account yet; null for the language of the person who invites them',
    }),
  ),
  role: nullable(
    Type.Enum([...SITE_ROLES], {
      description: 'What the caller is in it; null for an operator who is nothing',
    }),
  ),
});
export type OwnOrganization = Static<typeof OwnOrganization>;

export const COLOR_PATTERN = '^#[0-9A-Fa-f]{6}$';

const newColor = (description: string) =>
  Type.Optional(nullable(Type.String({ pattern: COLOR_PATTERN, description })));

const settings = {
  cloud_host: Type.Optional(
    nullable(
      Type.String({
        maxLength: 300,
        description: 'A host name, with a port where it is not 443; no other has it',
      }),
    ),
  ),
  color1: newColor('#rrggbb; null removes it'),
  color_dark1: newColor('The same on dark pages'),
  color2: newColor('#rrggbb; null removes it'),
  color_dark2: newColor('The same on dark pages'),
  locale: Type.Optional(
    nullable(
      Type.Enum([...LOCALES], {
        description: 'Language of mails to invited people who have no account yet; null removes it',
      }),
    ),
  ),
};

const OrganizationName = PlainName({ maxLength: 255, description: 'No other organization has it' });

export const CreateOrganizationBody = Type.Object({ name: OrganizationName, ...settings });
export type CreateOrganizationBody = Static<typeof CreateOrganizationBody>;

/** Omitted fields stay unchanged. */
export const ChangeOrganizationBody = Type.Object({
  name: Type.Optional(OrganizationName),
  ...settings,
  requires_second_factor: Type.Optional(
    Type.Boolean({
      description:
        'Whether its employees need a second factor to sign in; only an owner who has one can require it',
    }),
  ),
});
export type ChangeOrganizationBody = Static<typeof ChangeOrganizationBody>;

/** Kinds of things that an organization has to end or give away before it can be closed. */
export const CLOSING_OBSTACLES = ['site', 'order', 'ticket'] as const;

export const ClosingObstacle = Type.Object({
  kind: Type.Enum([...CLOSING_OBSTACLES], {
    description:
      'site: a site of the organization. order: an open order of its shop. ticket: an open ticket that it handles',
  }),
  id: Type.Integer(),
  name: nullable(
    Type.String({ description: 'The name, the number of an order, or the subject of a ticket' }),
  ),
});
export type ClosingObstacle = Static<typeof ClosingObstacle>;

export const OrganizationClosing = Type.Object({
  obstacles: Type.Array(ClosingObstacle, {
    description: 'Nothing is closed while there is one; at most 200',
  }),
});
export type OrganizationClosing = Static<typeof OrganizationClosing>;

export const organizationOperations = operations('organizations', {
  getOrganization: {
    route: 'GET /api/v1/organizations/{id}',
    summary: "An organization's name, logo, colours and host; needs no token",
    requires: 'nothing',
    params: OrganizationParams,
    answers: { 200: Organization },
    refusals: [404],
  },

  listOrganizations: {
    route: 'GET /api/v1/organizations',
    summary: 'The organizations that the caller works for, by name; for operators all',
    requires: ANY_TOKEN,
    query: ListQuery,
    answers: { 200: Type.Array(OwnOrganization) },
  },

  createOrganization: {
    route: 'POST /api/v1/organizations',
    summary: 'Makes an organization, which nobody works for yet; for operators',
    requires: ['sites:write_all'],
    body: CreateOrganizationBody,
    invalidFields: 422,
    answers: { 201: OwnOrganization },
  },

  updateOrganization: {
    route: 'PATCH /api/v1/organizations/{id}',
    summary: "Changes an organization's name, host and colours; for its owners and admins",
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: ChangeOrganizationBody,
    invalidFields: 422,
    answers: { 200: OwnOrganization },
    refusals: [404],
  },

  getOrganizationClosing: {
    route: 'GET /api/v1/organizations/{id}/closing',
    summary: 'What stands in the way of closing an organization; for its owners and operators',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: OrganizationClosing },
    refusals: [403, 404],
  },

  closeOrganization: {
    route: 'DELETE /api/v1/organizations/{id}',
    summary: 'Closes an organization for good; for its owners and operators',
    description:
      'Refused while it has sites, open orders or open tickets. Its tokens, sessions, applications, connections, invitations and legal texts end at once, its products are archived, its employees and customers keep their accounts. Its name and host are free. Orders, tickets and audit records keep the name.',
    requires: 'fresh_session',
    params: OrganizationParams,
    answers: { 204: NoContent },
    refusals: [403, 404, 422],
  },
});
