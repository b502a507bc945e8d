import { RegisterAnswer, SessionTokenAnswer, UnconfirmedAnswer } from '../schemas/accounts.ts';
import { DeviceSummary } from '../schemas/devices.ts';
import { IdTokenAnswer } from '../schemas/identity.ts';
import { ResourceMetadata, ServerMetadata, TokenAnswer } from '../schemas/protocols.ts';
import { SecondFactorAnswer, SignInAgainAnswer } from '../schemas/second-factor.ts';
import { SiteOrganization } from '../schemas/sites.ts';

/** Schemas that the document of the cloud names otherwise than the contract, as clients know them. */
export const CLOUD_SCHEMAS = {
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
