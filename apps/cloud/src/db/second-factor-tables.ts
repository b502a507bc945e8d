import type { ColumnType, Generated } from 'kysely';

/**
 * The method of verification; `enrolment`: a first second factor was set up during the sign-in; `handed_over`: the
 * session that was handed over was verified.
 */
export type SecondFactorProof = 'totp' | 'passkey' | 'recovery_code' | 'enrolment' | 'handed_over';

export interface AuthenticatorAppTable {
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

export interface RecoveryCodeTable {
  user_id: number;
  hash: Buffer;
  created_at: Date;
  used_at: Date | null;
}

export interface PasskeyTable {
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

export type ChallengePurpose = 'register' | 'second_factor' | 'sign_in';

export interface PasskeyChallengeTable {
  hash: Buffer;
  purpose: ChallengePurpose;
  user_id: number | null;
  origin: string;
  expires_at: Date;
}
