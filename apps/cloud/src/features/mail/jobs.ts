/** A mail to be written. It names its reader; the link in it is made when it is sent, so no job holds a secret. */
export type MailJob =
  /** The address of a new account is to be confirmed. */
  | { readonly kind: 'confirmation'; readonly userId: number; readonly organizationId: number | null }
  /** Somebody asked for a new password for this address, which may have no account. */
  | { readonly kind: 'reset'; readonly email: string; readonly organizationId: number | null }
  /** An account was made for somebody who sets the first password: for a site, or for an organization's team. */
  | {
      readonly kind: 'invitation';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number | null;
      readonly invitedBy: number | null;
    };
