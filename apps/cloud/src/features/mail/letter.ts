import type { Locale } from '@heliograph/contracts';

/** In whose name a mail is written. */
export interface Brand {
  readonly name: string;
  readonly color: string | null;
  readonly logoUrl: string | null;
}

/** What a mail says, before it takes a form. Everything in it is plain text. */
export interface Letter {
  readonly locale: Locale;
  readonly brand: Brand;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly button: string;
  readonly link: string;
  readonly linkHint: string;
  /** Said after the link, less prominently. */
  readonly remarks: readonly string[];
  readonly footer: string;
}

/** The plain-text form. */
export function textOf({ greeting, paragraphs, button, link, remarks, footer }: Letter): string {
  const action = `${button}:\n${link}`;
  return `${[greeting, ...paragraphs, action, ...remarks, `-- \n${footer}`].join('\n\n')}\n`;
}
