/** Longer names are cut, in characters. */
const MAX_NAME_LENGTH = 80;

/** Makes one line of a user's text: line breaks and control characters must not get into headers. */
export function oneLine(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

/**
 * A person's name for the body of a mail; undefined for a name that mail programs would turn into a link. A stranger can
 * register any address with any name.
 */
export function personalName(name: string): string | undefined {
  const line = oneLine(name);
  return line === '' || /[:/@\\]|\.\S|www/i.test(line) ? undefined : line;
}

/**
 * The name of a site for a mail. An inviter chooses the name, and can invite strangers: URLs and email addresses in it are
 * spaced, so that mail programs do not turn them into links.
 */
export function siteName(name: string): string {
  return oneLine(name.replace(/[:@\\](?=\S)|\/(?=\/)|\.(?=\S)/g, '$& '));
}
