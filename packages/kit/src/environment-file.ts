import { readFileSync } from 'node:fs';
import { ConfigError } from './env.ts';
import { messageOf } from './errors.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const BLANK = /[ \t\r\n]*/y;
const COMMENT = /[#;][^\r\n]*/y;
const NAME_TO_EQUALS = /(=?[^=\r\n]*)(=?)/y;
const INDENT = /[ \t]*/y;
const SINGLE_QUOTED = /'([^']*)'?/y;
const DOUBLE_QUOTED = /"((?:\\[\s\S]|[^"\\])*)\\?"?/y;
const UNQUOTED = /(?:\\[\s\S]|[^\\\r\n])+\\?/y;

/**
 * Variables of a file in the format of systemd's `EnvironmentFile=`; the last line of a name counts. Nothing is expanded or executed:
 * `$` and backquotes are ordinary characters. Lines without a valid name are ignored.
 *
 * Source: systemd.exec(5). A comment ends with its line, as since systemd 254.
 */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const rest = new Cursor(text);
  for (;;) {
    rest.take(BLANK);
    if (rest.isAtEnd) return values;
    if (rest.take(COMMENT) !== undefined) continue;
    const [, name = '', equals = ''] = rest.take(NAME_TO_EQUALS) ?? [];
    if (equals === '') continue;
    const value = valueAt(rest);
    if (NAME.test(withoutEnd(name))) values[withoutEnd(name)] = value;
  }
}

/** Quoted parts, then unquoted text to the end of the line, in which quotes are ordinary characters. */
function valueAt(rest: Cursor): string {
  let value = '';
  for (;;) {
    rest.take(INDENT);
    const single = rest.take(SINGLE_QUOTED);
    if (single !== undefined) {
      value += single[1];
      continue;
    }
    const double = rest.take(DOUBLE_QUOTED);
    if (double !== undefined) {
      value += (double[1] ?? '').replaceAll(/\\([\s\S])/g, (whole, next) =>
        next === '\n' ? '' : '"\\`$'.includes(next) ? next : whole,
      );
      continue;
    }
    const [unquoted = ''] = rest.take(UNQUOTED) ?? [];
    return value + unescaped(unquoted);
  }
}

/** Blanks at the end count only behind a backslash, which also joins lines. */
function unescaped(text: string): string {
  let value = '';
  let escapedLength = 0;
  for (const [part, escaped = ''] of text.matchAll(/\\([\s\S]?)|[^\\]+/g)) {
    if (!part.startsWith('\\')) value += part;
    else {
      if (!/[\r\n]/.test(escaped)) value += escaped;
      escapedLength = value.length;
    }
  }
  return value.slice(0, escapedLength) + withoutEnd(value.slice(escapedLength));
}

function withoutEnd(text: string): string {
  return text.replace(/[ \t\r\n]+$/, '');
}

/** A position in a text. */
class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** @param pattern sticky */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }
}

/** @throws ConfigError where it is not text, or the system's error */
export function readEnvironmentFile(path: string): Readonly<Record<string, string>> {
  const bytes = readFileSync(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes('\0')) throw new Error('it contains a zero byte');
    return parseEnvironmentFile(text);
  } catch (error) {
    throw new ConfigError(`${path} is not text in UTF-8: ${messageOf(error)}`, { cause: error });
  }
}
