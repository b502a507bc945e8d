import { cloudOperations } from '../operations/cloud.ts';
import type { Operation } from '../operations/operation.ts';
import { protocolOperations } from '../operations/protocols.ts';
import { RegisterAnswer, SessionTokenAnswer, UnconfirmedAnswer } from '../schemas/accounts.ts';
import { DeviceSummary } from '../schemas/devices.ts';
import { IdTokenAnswer } from '../schemas/identity.ts';
import { ResourceMetadata, ServerMetadata, TokenAnswer } from '../schemas/protocols.ts';
import { SecondFactorAnswer, SignInAgainAnswer } from '../schemas/second-factor.ts';
import { SiteOrganization } from '../schemas/sites.ts';
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
