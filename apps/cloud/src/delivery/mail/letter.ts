import type { Locale } from '@heliograph/contracts';

/** The organization or service in whose name a mail is sent. */
export interface Brand {
  readonly name: string;
  readonly color: string | null;
  readonly logoUrl: string | null;
}

/** The content of a mail before it is formatted. All fields are plain text. */
export interface Letter {
  readonly locale: Locale;
  readonly brand: Brand;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly button: string;
  readonly link: string;
  readonly linkHint: string;
  /** Below the link, less prominent. */
  readonly remarks: readonly string[];
  readonly footer: string;
}

/** The plain-text form. */
export function textOf({ greeting, paragraphs, button, link, remarks, footer }: Letter): string {
  const action = `${button}:\n${link}`;
  return `${[greeting, ...paragraphs, action, ...remarks, `-- \n${footer}`].join('\n\n')}\n`;
}
