import type { Scope } from '@heliograph/contracts';

type With<Placeholder extends string> = `${string}{${Placeholder}}${string}`;

/**
 * Everything that mails say, in one language. A missing text or placeholder does not compile.
 *
 * `{brand}` is the organization that writes, or the service; `{name}` the reader; `{site}` a solar site;
 * `{inviter}`, `{actor}` and `{owner}` people; `{time}` a moment.
 */
export interface MailTexts {
  readonly greeting: With<'name'>;
  readonly greetingWithoutName: string;
  /** Before the bare address of the link. */
  readonly linkHint: string;
  readonly sentBy: With<'brand'>;

  readonly confirmation: LinkTexts & {
    readonly subject: With<'brand'>;
    readonly text: With<'brand'>;
  };
  readonly reset: LinkTexts & {
    readonly subject: With<'brand'>;
    readonly text: With<'brand'>;
  };
  /** `{name}` is what a passkey is called, `{left}` how many recovery codes are left. */
  readonly secondFactor: {
    readonly passkey_added: { readonly subject: With<'brand'>; readonly text: With<'name'> & With<'brand'> };
    readonly passkey_removed: {
      readonly subject: With<'brand'>;
      readonly text: With<'name'> & With<'brand'>;
    };
    readonly app_added: { readonly subject: With<'brand'>; readonly text: With<'brand'> };
    readonly app_removed: { readonly subject: With<'brand'>; readonly text: With<'brand'> };
    readonly codes_made: { readonly subject: With<'brand'>; readonly text: With<'brand'> };
    readonly code_used: { readonly subject: With<'brand'>; readonly text: With<'left'> & With<'brand'> };
    readonly reset: { readonly subject: With<'brand'>; readonly text: With<'brand'> };
    readonly button: string;
    readonly unexpected: string;
  };
  readonly invitation: LinkTexts & {
    readonly subject: With<'brand'>;
    readonly toSite: With<'site'> & With<'brand'>;
    readonly toTeam: With<'brand'>;
    readonly toAccount: With<'brand'>;
    readonly from: With<'inviter'>;
    readonly next: string;
  };

  /** `{time}` and `{address}` of a security event. */
  readonly accountNotice: { readonly time: With<'time'>; readonly address: With<'address'> };
  readonly passwordChanged: NoticeTexts;
  /** `{name}` of the token, `{scopes}` as a list of permissions. */
  readonly tokenCreated: NoticeTexts & { readonly text: With<'name'>; readonly scopes: With<'scopes'> };
  readonly unknownNetwork: NoticeTexts;
  /** The permissions of API tokens, after a colon. */
  readonly tokenScopes: Readonly<Record<Exclude<Scope, 'openid' | 'sites:read_single'>, string>>;
  /** An account is invited to an organization's team, and may accept after signing in. */
  readonly teamInvitation: LinkTexts & {
    readonly subject: With<'brand'>;
    readonly text: With<'brand'>;
    readonly next: With<'brand'>;
  };
  /** An account was made a member of a site. */
  readonly siteAccess: Omit<LinkTexts, 'validity'> & {
    readonly subject: With<'site'>;
    readonly by: With<'actor'>;
    readonly leave: string;
  };
  /** A site has another owner: to the new one and to the former one. */
  readonly ownership: {
    readonly subjectNew: With<'site'>;
    readonly textNew: With<'site'>;
    readonly subjectFormer: With<'site'>;
    readonly textFormer: With<'site'> & With<'owner'>;
    readonly by: With<'actor'> & With<'time'>;
    readonly button: string;
    readonly unexpectedNew: string;
    readonly unexpectedFormer: string;
  };
}

interface LinkTexts {
  readonly button: string;
  /** That the link works once, and for how long. */
  readonly validity: string;
  /** Advice for readers who did not expect the mail. */
  readonly unexpected: string;
}

interface NoticeTexts {
  readonly subject: With<'brand'>;
  readonly text: With<'brand'>;
  readonly button: string;
  /** Advice for readers who did not cause the event. */
  readonly unexpected: string;
}
