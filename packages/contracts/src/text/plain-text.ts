import { type TString, Type } from 'typebox';

/**
 * Characters that are not seen and change how others are shown, as the inside of a character class: controls, soft
 * hyphen, marks and overrides of the direction of writing, line separators, spaces and joiners without width.
 */
export const UNSEEN =
  '\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';

/** A visible character beyond ASCII. */
const LETTER = `[^\\s\\x00-\\x7f${UNSEEN}]`;

/**
 * Joiners belong to the spelling of some languages and to emoji; between other characters they only disguise. The patterns
 * have no lookaround: not every client's engine knows it (JSON Schema 2020-12, core, 6.4).
 */
const VISIBLE = `[\\x21-\\x7e]|${LETTER}(?:[\\u200c\\u200d]${LETTER})*`;
const SPACE = '[\\x20\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]';

const LINE_PATTERN = `^(?:${SPACE}|${VISIBLE})*$`;
/** The same with at least one character that is no white space. */
const NAME_PATTERN = `^${SPACE}*(?:${VISIBLE})(?:${SPACE}|${VISIBLE})*$`;
const LINES_PATTERN = `^(?:\\n|${SPACE}|${VISIBLE})*$`;
const MESSAGE_PATTERN = `^(?:\\n|${SPACE})*(?:${VISIBLE})(?:\\n|${SPACE}|${VISIBLE})*$`;

const PRINTABLE = '[^\\x00-\\x1f\\x7f]*';
const PRINTABLE_LINES = '[^\\x00-\\x09\\x0b-\\x1f\\x7f]*';

/**
 * By pattern, the one that documents publish: the engine of PHP has no `\\u`, and reads UTF-8 by its bytes, so that clients
 * generated for it refused every text. They accept the rest of the invisible characters, which the service refuses.
 */
export const PORTABLE_PATTERNS: ReadonlyMap<unknown, string> = new Map([
  [LINE_PATTERN, `^${PRINTABLE}$`],
  [NAME_PATTERN, `^${PRINTABLE}\\S${PRINTABLE}$`],
  [LINES_PATTERN, `^${PRINTABLE_LINES}$`],
  [MESSAGE_PATTERN, `^${PRINTABLE_LINES}\\S${PRINTABLE_LINES}$`],
]);

/** Validation message, behind the field's name, for text with invisible characters. */
export const UNSEEN_CHARACTERS = 'must not have control characters or others that are not seen';

/** Validation message, behind the field's name, for text that is missing or only white space. */
export const BLANK = "can't be blank";

interface TextOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
}

/** One line of text that people wrote to be read by others. */
export function PlainText(options: TextOptions = {}): TString {
  return Type.String({ ...options, pattern: LINE_PATTERN });
}

/** The same that is not blank: what people call a thing. */
export function PlainName(options: TextOptions = {}): TString {
  return Type.String({ ...options, pattern: NAME_PATTERN });
}

/** Any text with a character that is no white space. */
export const NOT_BLANK_PATTERN = '\\S';

/** One or several lines of text that people wrote to be read by others. */
export function PlainLines(options: TextOptions = {}): TString {
  return Type.String({ ...options, pattern: LINES_PATTERN });
}

/** The same that is not blank. */
export function PlainMessage(options: TextOptions = {}): TString {
  return Type.String({ ...options, pattern: MESSAGE_PATTERN });
}

const LINE = new RegExp(LINE_PATTERN, 'u');

/** Whether text would be taken as `PlainText`. */
export function isPlainText(text: string): boolean {
  return LINE.test(text);
}

/** Whether a pattern is that of text that people wrote, which is stored composed (Unicode NFC). */
export function isTextPattern(pattern: unknown): boolean {
  return [LINE_PATTERN, NAME_PATTERN, LINES_PATTERN, MESSAGE_PATTERN].some((known) => known === pattern);
}

/** The message about text that breaks a pattern, behind the field's name; undefined for a pattern of other things. */
export function textFault(pattern: unknown, text: unknown): string | undefined {
  if (pattern === NOT_BLANK_PATTERN) return BLANK;
  if (pattern === NAME_PATTERN || pattern === MESSAGE_PATTERN)
    return String(text).trim() === '' ? BLANK : UNSEEN_CHARACTERS;
  return pattern === LINE_PATTERN || pattern === LINES_PATTERN ? UNSEEN_CHARACTERS : undefined;
}

const LINE_BREAKS = /\r\n?|[\u2028\u2029]/g;
const SPACES = /[\t\v\f]/g;
/** Besides what is not taken: tags, which repeat ASCII unseen and which programs that read texts do read. */
const REMOVED = new RegExp(
  `(?:(?!\\n|(?<=${LETTER})[\\u200c\\u200d](?=${LETTER}))[${UNSEEN}]|[\\u{e0000}-\\u{e007f}])`,
  'gu',
);

/** Text without what is not seen, for texts that did not come as `PlainText`; line feeds stay. */
export function cleanLines(text: string): string {
  return text.toWellFormed().replace(LINE_BREAKS, '\n').replace(SPACES, ' ').replace(REMOVED, '');
}

/** The same as one line. */
export function cleanLine(text: string): string {
  return cleanLines(text).replace(/\s+/g, ' ').trim();
}

/** In JSON text: an escape of a control character other than a line feed, or a character that is not seen. */
const SUSPECT = new RegExp(`\\\\u00[01]|\\\\[bfrt]|[${UNSEEN}]|[\\u{e0000}-\\u{e007f}]`, 'u');

/** JSON in which every text is clean. Costs no more than a look at the text where all are, as they mostly are. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (json === undefined || !SUSPECT.test(json)) return json;
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'string' ? cleanLines(inner) : inner,
  );
}
