import * as contracts from '@heliograph/contracts';

/** Schemas that the contract names, so that generated clients have types with names. */
const NAMED = new Map(
  Object.entries({
    Error: contracts.ErrorBody,
    NestedError: contracts.NestedErrorBody,
    ValidationError: contracts.ValidationErrorBody,
    User: contracts.User,
    Session: contracts.Session,
    Unconfirmed: contracts.UnconfirmedAnswer,
    SecondFactorRequired: contracts.SecondFactorAnswer,
    SignInAgain: contracts.SignInAgainAnswer,
    PendingSignIn: contracts.PendingSignIn,
    SecondFactor: contracts.SecondFactor,
    Passkey: contracts.Passkey,
    PasskeyAssertion: contracts.PasskeyAssertion,
    PasskeyRegistration: contracts.PasskeyRegistration,
    PasskeyRequestOptions: contracts.PasskeyRequestOptions,
    PasskeyCreationOptions: contracts.PasskeyCreationOptions,
    SessionConfirmation: contracts.SessionConfirmation,
    Registration: contracts.RegisterAnswer,
    SessionToken: contracts.SessionTokenAnswer,
    IdToken: contracts.IdTokenAnswer,
    ApiToken: contracts.ApiToken,
    CreatedApiToken: contracts.CreatedApiToken,
    SessionSummary: contracts.SessionSummary,
    SiteMember: contracts.SiteMember,
    SiteSummary: contracts.SiteSummary,
    SiteWithToken: contracts.SiteWithToken,
    Site: contracts.Site,
    SiteAuthorization: contracts.SiteAuthorization,
    SiteReachability: contracts.SiteReachability,
    LocalSite: contracts.LocalSite,
    Organization: contracts.Organization,
    OwnOrganization: contracts.OwnOrganization,
    OrganizationMember: contracts.OrganizationMember,
    TeamInvitation: contracts.TeamInvitation,
    OrganizationDocument: contracts.OrganizationDocument,
    OrganizationSite: contracts.OrganizationSite,
    Application: contracts.Application,
    ApplicationWithSecret: contracts.ApplicationWithSecret,
    Connection: contracts.Connection,
    SiteConnections: contracts.SiteConnections,
    Device: contracts.DeviceSummary,
    ActivationCode: contracts.ActivationCode,
    NewActivationCode: contracts.NewActivationCode,
    ActivationRequest: contracts.ActivationRequest,
    AuditEntry: contracts.AuditEntry,
    SignIn: contracts.SignInBody,
    Register: contracts.RegisterBody,
    InviteSiteMember: contracts.InviteMemberBody,
    RegisterSite: contracts.RegisterSiteBody,
  }).map(([name, schema]) => [name, asPublished(schema)]),
);

interface Documented {
  paths?: object;
  components?: { schemas?: object };
}

/**
 * Replaces every schema that equals a named one by a reference to it. Routes validate with whole schemas;
 * only the document separates them.
 */
export function nameSchemas<Document extends Documented>(document: Document): Document {
  const names = new Map([...NAMED].map(([name, schema]) => [canonical(schema), name]));
  const schemas: Record<string, unknown> = {};

  const within = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shortened);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, shortened(value)]));
  };
  const shortened = (node: unknown): unknown => {
    const name = names.get(canonical(node));
    if (name === undefined) return within(node);
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = within(NAMED.get(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const paths = within(document.paths);
  return { ...document, paths, components: { ...document.components, schemas: sorted(schemas) } };
}

/** The same text for schemas that differ only in the order of their keys. */
function canonical(schema: unknown): string | undefined {
  return JSON.stringify(schema, (_key, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema as the document publishes it: records with any key become additional properties. */
function asPublished(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asPublished);
  if (!isRecord(schema)) return schema;
  const { patternProperties, ...others } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, asPublished(value)]),
  );
  if (!isRecord(patternProperties)) return others;
  return { ...others, additionalProperties: Object.values(patternProperties)[0] };
}
