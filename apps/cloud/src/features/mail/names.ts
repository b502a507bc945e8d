/** Longer names are cut, in characters. */
const MAX_NAME_LENGTH = 80;

/** One line of a name that somebody else wrote: line breaks and control characters must not get into headers. */
export function oneLine(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

/**
 * A person's name for the body of a mail. Whoever registers somebody else's address picks the name in the mail:
 * one that looks like an address of the web, which mail programs make a link of, is no name.
 */
export function personalName(name: string): string | undefined {
  const line = oneLine(name);
  return line === '' || /[:/@\\]|\.\S|www/i.test(line) ? undefined : line;
}

/**
 * The name of a site for a mail. Whoever invites to it picks the name, and can invite strangers: what looks like an
 * address of the web or of mail is spaced, so that mail programs make no link of it.
 */
export function siteName(name: string): string {
  return oneLine(name.replace(/[:@\\](?=\S)|\/(?=\/)|\.(?=\S)/g, '$& '));
}
