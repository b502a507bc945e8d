import type { Locale, Scope, SiteView } from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { OneTimePurpose } from '../one-time-tokens.ts';
import type { CreatedAt, Id, SearchColumn } from './column-types.ts';

export interface IdentityTables {
  users: UserTable;
  tokens: TokenTable;
  one_time_tokens: OneTimeTokenTable;
  email_changes: EmailChangeTable;
  known_addresses: KnownAddressTable;
  sign_in_failures: SignInFailureTable;
  bot_check_solutions: BotCheckSolutionTable;
  signing_keys: SigningKeyTable;
  authenticator_apps: AuthenticatorAppTable;
  recovery_codes: RecoveryCodeTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
}

/**
 * The method of verification; `enrolment`: a first second factor was set up during the sign-in; `handed_over`: the
 * session that was handed over was verified.
 */
export type SecondFactorProof = 'totp' | 'passkey' | 'recovery_code' | 'enrolment' | 'handed_over';

export type ChallengePurpose = 'register' | 'second_factor' | 'sign_in';

interface UserTable {
  id: Id;
  email: ColumnType<string, CanonicalEmail, CanonicalEmail>;
  first_name: Generated<string>;
  last_name: Generated<string>;
  phone_number: string | null;
  locale: Generated<Locale>;
  password_hash: string | null;
  confirmed_at: Date | null;
  staff: Generated<boolean>;
  organization_id: number | null;
  terms_accepted_at: Date | null;
  invited_at: Date | null;
  confirmation_mailed_at: Date | null;
  second_factor_at: Date | null;
  site_views: JSONColumnType<SiteView[], string | undefined>;
  search: SearchColumn;
  created_at: CreatedAt;
}

interface TokenTable {
  id: Id;
  kind: TokenKind;
  name: string | null;
  hash: Buffer;
  user_id: number;
  scopes: Scope[];
  organization_id: number | null;
  site_id: number | null;
  application_organization_id: number | null;
  grant_id: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  authenticated_at: Date | null;
}

interface OneTimeTokenTable {
  hash: Buffer;
  purpose: OneTimePurpose;
  user_id: number | null;
  organization_id: number | null;
  created_at: Date;
  expires_at: Date;
  spent_at: Date | null;
  authenticated_at: Date | null;
  session_expires_at: Date | null;
  address: string | null;
  factor: SecondFactorProof | null;
  accepts_employment: Generated<boolean>;
  accepts_site_id: Generated<number | null>;
}

interface EmailChangeTable {
  user_id: number;
  email: string;
  expires_at: Date;
}

interface KnownAddressTable {
  user_id: number;
  address: string;
  seen_at: Date;
}

interface SignInFailureTable {
  key: Buffer;
  since: Date;
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  audit_id: string;
}

interface BotCheckSolutionTable {
  challenge: Buffer;
  expires_at: Date;
}

interface SigningKeyTable {
  kid: string;
  purpose: 'sites' | 'identity';
  sealed_private_key: Buffer;
  created_at: Date;
  signs_from: Date | null;
}

interface AuthenticatorAppTable {
  user_id: number;
  sealed: Buffer;
  /** `session <token id>` or `sign-in <digest of the token>`. */
  started_by: string | null;
  created_at: Date;
  confirmed_at: Date | null;
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  last_step: ColumnType<string | null, number | null, number | null>;
  last_used_at: Date | null;
}

interface RecoveryCodeTable {
  user_id: number;
  hash: Buffer;
  created_at: Date;
  used_at: Date | null;
}

interface PasskeyTable {
  id: Generated<number>;
  user_id: number;
  credential_id: Buffer;
  rp_id: string;
  public_key: Buffer;
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  counter: ColumnType<string, number, number>;
  transports: string[];
  backed_up: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

interface PasskeyChallengeTable {
  hash: Buffer;
  purpose: ChallengePurpose;
  user_id: number | null;
  origin: string;
  expires_at: Date;
}
