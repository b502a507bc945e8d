import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { Id } from '../common/schemas.ts';
import { NOT_BLANK_PATTERN } from '../text/plain-text.ts';

/** Legal texts that an organization may replace by its own. */
export const DOCUMENT_NAMES = ['terms', 'privacy'] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

const documentName = Type.Enum([...DOCUMENT_NAMES]);

export const DocumentParams = Type.Object({ id: Id, name: documentName });

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

export const documentOperations = operations('organizations', {
  getLegalText: {
    route: 'GET /api/v1/legal/portal/{name}',
    summary: 'A legal text as HTML; needs no token',
    requires: 'nothing',
    params: LegalPageParams,
    query: LegalPageQuery,
    answers: {
      200: {
        description: 'A page, or a part of one',
        content: { 'text/html': { schema: Type.String() } },
      },
    },
    refusals: [404],
  },

  getOrganizationDocument: {
    route: 'GET /api/v1/organizations/{id}/documents/{name}',
    summary: 'A legal text as it was written; for those who work for the organization',
    requires: ['sites:read_all'],
    params: DocumentParams,
    answers: { 200: OrganizationDocument },
    refusals: [404],
  },

  setOrganizationDocument: {
    route: 'PUT /api/v1/organizations/{id}/documents/{name}',
    summary: 'Sets a legal text; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: DocumentParams,
    body: ChangeDocumentBody,
    // The longest text, of any script.
    bodyLimit: 640 * 1024,
    invalidFields: 422,
    answers: { 200: OrganizationDocument },
    refusals: [404],
  },

  removeOrganizationDocument: {
    route: 'DELETE /api/v1/organizations/{id}/documents/{name}',
    summary: "Goes back to the service's text; for owners and admins of the organization",
    requires: ['sites:write_all'],
    params: DocumentParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
