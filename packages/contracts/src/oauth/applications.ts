import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { OrganizationParams } from '../common/params.ts';
import { DateTime, MAX_ID, nullable } from '../common/schemas.ts';
import { PlainName } from '../text/plain-text.ts';

/** Scopes that an organization's application may request. */
export const APPLICATION_SCOPES = ['openid', 'sites:read_single'] as const;
export type ApplicationScope = (typeof APPLICATION_SCOPES)[number];

/** Identifies an application in URLs and requests. */
const clientId = Type.String({ minLength: 1, maxLength: 100 });

const applicationFields = {
  client_id: clientId,
  name: Type.String({ description: 'What the consent page calls it' }),
  redirect_uris: Type.Array(Type.String(), {
    description: 'Where users may be sent back to; compared exactly',
  }),
  browser_only: Type.Boolean({ description: 'Whether it runs in the browser and so has no secret' }),
  scopes: Type.Array(Type.Enum([...APPLICATION_SCOPES]), { description: 'Scopes that it may request' }),
  client_secret_hint: nullable(
    Type.String({ description: "The secret's last characters, behind an ellipsis; null without a secret" }),
  ),
  created_at: DateTime,
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'Time of the last consent to it' })),
};

/** A program of an organization that asks users for access to one of their sites. */
export const Application = Type.Object(applicationFields);
export type Application = Static<typeof Application>;

export const ApplicationWithSecret = Type.Object({
  ...applicationFields,
  client_secret: nullable(
    Type.String({ description: 'Shown this once; null for an application that runs in the browser' }),
  ),
});
export type ApplicationWithSecret = Static<typeof ApplicationWithSecret>;

const ApplicationName = PlainName({
  description: 'What the consent page calls it, of 1 to 100 characters',
});

/** A list, or the text of a form's field. */
const RedirectUris = Type.Union([Type.Array(Type.String()), Type.String()], {
  description:
    'Where users may be sent back to: a list, or text with one address a line. https; http only on localhost, ' +
    '127.0.0.1 and [::1]; or a scheme of the application itself such as com.example.app:/signed-in. At most 20, each ' +
    'of at most 2,000 characters, without fragment, user name or wildcard. None is enough to exchange identity tokens',
});

/** Faults of a field are reported as validation errors of the field, not as a bad request. */
export const CreateApplicationBody = Type.Object({
  name: ApplicationName,
  redirect_uris: Type.Optional(RedirectUris),
  browser_only: Type.Optional(
    Type.Boolean({ description: 'Runs in the browser and so can keep no secret; false when left out' }),
  ),
  scopes: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      description: `Some of ${APPLICATION_SCOPES.join(', ')}; both when left out. They cannot be changed later`,
    }),
  ),
});
export type CreateApplicationBody = Static<typeof CreateApplicationBody>;

/** Omitted fields stay unchanged. The other fields of an application are immutable. */
export const ChangeApplicationBody = Type.Object(
  { name: Type.Optional(ApplicationName), redirect_uris: Type.Optional(RedirectUris) },
  { additionalProperties: false },
);
export type ChangeApplicationBody = Static<typeof ChangeApplicationBody>;

export const ApplicationParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The organization' }),
  client_id: clientId,
});

export const applicationOperations = operations('connections', {
  listApplications: {
    route: 'GET /api/v1/organizations/{id}/applications',
    summary: 'The applications of an organization, the newest first; for its owners and admins',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: Type.Array(Application) },
    refusals: [404],
  },

  createApplication: {
    route: 'POST /api/v1/organizations/{id}/applications',
    summary: 'Makes an application and shows its secret, this once',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: CreateApplicationBody,
    invalidFields: 422,
    answers: { 201: ApplicationWithSecret },
    refusals: [404],
  },

  getApplication: {
    route: 'GET /api/v1/organizations/{id}/applications/{client_id}',
    summary: 'One application of an organization',
    requires: ['sites:read_all'],
    params: ApplicationParams,
    answers: { 200: Application },
    refusals: [404],
  },

  updateApplication: {
    route: 'PATCH /api/v1/organizations/{id}/applications/{client_id}',
    summary: "Changes an application's name and where users may be sent back to",
    requires: ['sites:write_all'],
    params: ApplicationParams,
    body: ChangeApplicationBody,
    invalidFields: 422,
    answers: { 200: Application },
    refusals: [404],
  },

  replaceApplicationSecret: {
    route: 'POST /api/v1/organizations/{id}/applications/{client_id}/secret',
    summary: 'Gives an application another secret and shows it, this once; the old one ends at once',
    requires: ['sites:write_all'],
    params: ApplicationParams,
    answers: { 200: ApplicationWithSecret },
    refusals: [404, 422],
  },

  deleteApplication: {
    route: 'DELETE /api/v1/organizations/{id}/applications/{client_id}',
    summary: 'Deletes an application, and ends whatever users allowed it',
    requires: ['sites:write_all'],
    params: ApplicationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
