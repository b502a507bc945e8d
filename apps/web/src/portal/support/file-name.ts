/** The service's limit, in UTF-16 code units. */
const MAX_LENGTH = 255;

/** Controls and marks of direction, which disguise the end of a name. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The name of a chosen file as the service takes it: visible characters alone, and a long one cut before its ending. */
export function fileNameOf(name: string): string {
  const visible = name.normalize('NFC').replace(UNSEEN, '').trim() || 'file';
  if (visible.length <= MAX_LENGTH) return visible;
  const ending = /\.[^.]{1,16}$/.exec(visible)?.[0] ?? '';
  const start = visible.slice(0, MAX_LENGTH - ending.length);
  // No half of a character that takes two code units.
  return `${start.replace(/[\ud800-\udbff]$/, '')}${ending}`;
}
