import { type Locale, tagOf } from '@heliograph/contracts';
import { personName } from '@heliograph/kit/person-name';

/** The facts about an account that applications may learn. */
export interface IdentityRecord {
  readonly id: number;
  readonly email: string;
  readonly confirmed: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
}

/** The standard claims of id_tokens and userinfo (OpenID Connect Core 1.0, section 5.1). */
export interface IdentityClaims {
  /** The account's id, in decimal. */
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  /** The full name; without one, the email address. */
  readonly name: string;
  /** Omitted when empty, as section 5.3.2 requires. */
  readonly given_name?: string;
  readonly family_name?: string;
  /** A BCP 47 language tag, such as `zh-CN`. */
  readonly locale: string;
}

export function identityClaims(account: IdentityRecord): IdentityClaims {
  const { id, email, confirmed, firstName, lastName, locale } = account;
  return {
    sub: String(id),
    email,
    email_verified: confirmed,
    name: personName({ email, first_name: firstName, last_name: lastName }, locale),
    ...(firstName !== '' && { given_name: firstName }),
    ...(lastName !== '' && { family_name: lastName }),
    locale: tagOf(locale),
  };
}
