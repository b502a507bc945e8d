import { type Static, Type } from 'typebox';
import { EmailAddress, InviteeName, MAX_ID, nullable } from './common.ts';
import { LOCALES } from './locales.ts';
import { NOT_BLANK_PATTERN, PlainName } from './plain-text.ts';
import { SITE_ROLES, SiteMember } from './site-members.ts';

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

const anId = Type.Integer({ minimum: 1, maximum: MAX_ID });

export const OrganizationParams = Type.Object({ id: anId });

export const LogoParams = Type.Object({
  id: anId,
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the image, in hex',
    examples: ['0'.repeat(64)],
  }),
});

/** An employee of an organization, or a person invited to become one. */
export const OrganizationMember = Type.Object(
  {
    ...SiteMember.properties,
    pending: Type.Boolean({
      description:
        'Whether the account has yet to accept. Until then the names are those that the inviter gave, and the account ' +
        'sees nothing of the organization',
    }),
    expires_at: nullable(
      Type.String({ format: 'date-time', description: 'Until when it can accept; null for an employee' }),
    ),
  },
  { description: 'An employee of an organization, or a person invited to become one' },
);
export type OrganizationMember = Static<typeof OrganizationMember>;

const OrganizationRole = Type.Enum([...SITE_ROLES], {
  description: 'owner and admin manage the organization, and only an owner makes or unmakes owners',
});

export const AddOrganizationMemberBody = Type.Object({
  email: EmailAddress,
  role: OrganizationRole,
  first_name: InviteeName,
  last_name: InviteeName,
});
export type AddOrganizationMemberBody = Static<typeof AddOrganizationMemberBody>;

export const ChangeOrganizationMemberBody = Type.Object({ role: OrganizationRole });
export type ChangeOrganizationMemberBody = Static<typeof ChangeOrganizationMemberBody>;

export const OrganizationMemberParams = Type.Object({ id: anId, user_id: anId });

/** Legal texts that an organization may replace by its own. */
export const DOCUMENT_NAMES = ['terms', 'privacy'] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

const documentName = Type.Enum([...DOCUMENT_NAMES]);

export const DocumentParams = Type.Object({ id: anId, name: documentName });

export const ChangeDocumentBody = Type.Object({
  text: Type.String({
    maxLength: 200_000,
    pattern: NOT_BLANK_PATTERN,
    description:
      'Plain text. An empty line ends a paragraph; a line that begins with # is a heading, with ## a smaller one, ' +
      'with - an item of a list',
  }),
});
export type ChangeDocumentBody = Static<typeof ChangeDocumentBody>;

export const OrganizationDocument = Type.Object({
  name: documentName,
  text: Type.String(),
  custom: Type.Boolean({ description: "Whether it is the organization's own and not the service's" }),
});
export type OrganizationDocument = Static<typeof OrganizationDocument>;

export const LegalPageParams = Type.Object({ name: documentName });

export const LegalPageQuery = Type.Object({
  fragment: Type.Optional(
    Type.String({
      maxLength: 10,
      description: '1 answers what belongs inside a page, and no page around it',
    }),
  ),
  organization_id: Type.Optional(
    Type.String({
      pattern: '^([0-9]{1,20}|none|)$',
      description:
        "Whose text it is; none for the service's own. Left out, it is the organization that has the host of the " +
        'page that asks',
    }),
  ),
});
export type LegalPageQuery = Static<typeof LegalPageQuery>;

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
