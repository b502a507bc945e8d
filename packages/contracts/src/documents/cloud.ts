import type { Operation } from '../common/operation.ts';
import { DeviceSummary } from '../devices/devices.ts';
import { SessionTokenAnswer } from '../identity/passwords.ts';
import { RegisterAnswer } from '../identity/registration.ts';
import { SecondFactorAnswer } from '../identity/second-factor.ts';
import { SignInAgainAnswer } from '../identity/session-confirmation.ts';
import { UnconfirmedAnswer } from '../identity/sign-in.ts';
import { IdTokenAnswer } from '../identity/users.ts';
import { protocolOperations, ResourceMetadata, ServerMetadata, TokenAnswer } from '../oauth/protocols.ts';
import { cloudOperations } from '../operations/cloud.ts';
import { SiteOrganization } from '../sites/organization.ts';
import { CLOUD_TAGS, introductionOf, type OtherEndpoints } from './cloud-texts.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';

/** Schemas that the document of the cloud names otherwise than the contract, as clients know them. */
const CLOUD_SCHEMAS = {
  OAuthToken: TokenAnswer,
  OAuthServerMetadata: ServerMetadata,
  ProtectedResourceMetadata: ResourceMetadata,
  Unconfirmed: UnconfirmedAnswer,
  SecondFactorRequired: SecondFactorAnswer,
  SignInAgain: SignInAgainAnswer,
  Registration: RegisterAnswer,
  SessionToken: SessionTokenAnswer,
  IdToken: IdTokenAnswer,
  SiteOrganizationChoices: SiteOrganization,
  Device: DeviceSummary,
};

export type { OtherEndpoints } from './cloud-texts.ts';

/** The OpenAPI document of the cloud, without its address. */
export function cloudDocument(endpoints: OtherEndpoints): OpenApiDocument {
  return openApiDocument({
    title: 'Heliograph cloud',
    introduction: introductionOf(endpoints),
    tags: CLOUD_TAGS,
    operations: { ...cloudOperations, ...protocolOperations },
    schemas: CLOUD_SCHEMAS,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    security,
  });
}

/** Alternatives, of which a token fulfils at least one; scopes of bearer tokens stand there since OpenAPI 3.1. */
function security({ requires }: Operation): { bearer: string[] }[] {
  if (requires === 'nothing') return [];
  if (typeof requires !== 'object' || requires.length === 0) return [{ bearer: [] }];
  return requires.map((scope) => ({ bearer: [scope] }));
}
