type With<Placeholder extends string> = `${string}{${Placeholder}}${string}`;

/**
 * Everything that mails say, in one language. A missing text or placeholder does not compile.
 *
 * `{brand}` is the organization that writes, or the service; `{name}` the reader; `{site}` a solar site;
 * `{inviter}` a person.
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
  readonly invitation: LinkTexts & {
    readonly subject: With<'brand'>;
    readonly toSite: With<'site'> & With<'brand'>;
    readonly toTeam: With<'brand'>;
    readonly toAccount: With<'brand'>;
    readonly from: With<'inviter'>;
    readonly next: string;
  };
}

interface LinkTexts {
  readonly button: string;
  /** That the link works once, and for how long. */
  readonly validity: string;
  /** What to do when the mail comes out of the blue. */
  readonly unexpected: string;
}
