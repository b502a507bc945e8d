import {
  RegisterAnswer,
  RegisterBody,
  Session,
  SessionTokenAnswer,
  SignInBody,
  UnconfirmedAnswer,
} from '../schemas/accounts.ts';
import { ActivationCode, ActivationRequest, CreatedActivationCode } from '../schemas/activation.ts';
import { Application, ApplicationWithSecret } from '../schemas/applications.ts';
import { AuditEntry } from '../schemas/audit.ts';
import { Connection, SiteConnections } from '../schemas/connections.ts';
import { DeviceSummary, ListedDevice } from '../schemas/devices.ts';
import { IdTokenAnswer } from '../schemas/identity.ts';
import { InviteMemberBody } from '../schemas/members.ts';
import { OrganizationSite } from '../schemas/organization-sites.ts';
import {
  Organization,
  OrganizationDocument,
  OrganizationMember,
  OwnOrganization,
} from '../schemas/organizations.ts';
import {
  McpMessage,
  McpResult,
  ResourceMetadata,
  ServerMetadata,
  TokenAnswer,
} from '../schemas/protocols.ts';
import { RecoveryEvent, RecoverySession } from '../schemas/recovery-sessions.ts';
import {
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
  PendingSignIn,
  SecondFactor,
  SecondFactorAnswer,
  SessionConfirmation,
  SignInAgainAnswer,
} from '../schemas/second-factor.ts';
import { SiteInvitation } from '../schemas/site-invitations.ts';
import { SiteMember } from '../schemas/site-members.ts';
import {
  LocalSite,
  RegisterSiteBody,
  Site,
  SiteAuthorization,
  SiteOrganization,
  SiteReachability,
  SiteSummary,
  SiteWithToken,
} from '../schemas/sites.ts';
import { TeamInvitation } from '../schemas/team-invitations.ts';
import {
  OwnTicket,
  OwnTicketWithMessages,
  Ticket,
  TicketAttachment,
  TicketMessage,
  TicketWithMessages,
  Upload,
} from '../schemas/tickets.ts';
import { ApiToken, CreatedApiToken, SessionSummary } from '../schemas/tokens.ts';
import { User } from '../schemas/users.ts';

/** Schemas of the cloud that its document names, so that generated clients have types with names. */
export const CLOUD_SCHEMAS = {
  OAuthToken: TokenAnswer,
  OAuthServerMetadata: ServerMetadata,
  ProtectedResourceMetadata: ResourceMetadata,
  McpMessage,
  McpResult,
  User,
  Session,
  Unconfirmed: UnconfirmedAnswer,
  SecondFactorRequired: SecondFactorAnswer,
  SignInAgain: SignInAgainAnswer,
  PendingSignIn,
  SecondFactor,
  Passkey,
  PasskeyAssertion,
  PasskeyRegistration,
  PasskeyRequestOptions,
  PasskeyCreationOptions,
  SessionConfirmation,
  Registration: RegisterAnswer,
  SessionToken: SessionTokenAnswer,
  IdToken: IdTokenAnswer,
  ApiToken,
  CreatedApiToken,
  SessionSummary,
  SiteMember,
  SiteInvitation,
  SiteSummary,
  SiteWithToken,
  Site,
  SiteAuthorization,
  SiteReachability,
  LocalSite,
  Organization,
  OwnOrganization,
  OrganizationMember,
  TeamInvitation,
  OrganizationDocument,
  OrganizationSite,
  SiteOrganizationChoices: SiteOrganization,
  Application,
  ApplicationWithSecret,
  Connection,
  SiteConnections,
  Device: DeviceSummary,
  ListedDevice,
  ActivationCode,
  CreatedActivationCode,
  ActivationRequest,
  AuditEntry,
  SignIn: SignInBody,
  Register: RegisterBody,
  InviteSiteMember: InviteMemberBody,
  RegisterSite: RegisterSiteBody,
  Ticket,
  TicketWithMessages,
  OwnTicket,
  OwnTicketWithMessages,
  RecoverySession,
  RecoveryEvent,
  TicketMessage,
  TicketAttachment,
  Upload,
};
