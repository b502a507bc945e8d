import type { Locale } from '@heliograph/contracts';

/** What is known of an account to applications that ask who somebody is. */
export interface IdentityRecord {
  readonly id: number;
  readonly email: string;
  readonly confirmed: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
}

/** The standard claims about a person (OpenID Connect Core 1.0, section 5.1), as id_tokens and userinfo have them. */
export interface IdentityClaims {
  /** The account's id, in decimal. */
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  /** The whole name; the email address of somebody who has none. */
  readonly name: string;
  /** Left out when empty, which section 5.3.2 wants. */
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
    name: `${firstName} ${lastName}`.trim() || email,
    ...(firstName !== '' && { given_name: firstName }),
    ...(lastName !== '' && { family_name: lastName }),
    locale: locale.replace('_', '-'),
  };
}
