/** A part of a source file, by its place in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MaskedSource {
  /** The source with comments and the contents of strings as spaces: places and lines stay. */
  readonly code: string;
  readonly comments: readonly Span[];
}

const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~]|\b(?:return|case|typeof|in|of))\s*$/;

/** Separates code from comments and strings, templates with their expressions and regular expressions included. */
export function maskSource(source: string): MaskedSource {
  let code = '';
  const comments: Span[] = [];
  const templates: number[] = [];
  let depth = 0;
  let at = 0;

  const blank = (end: number): void => {
    code += source.slice(at, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  };
  const copy = (count: number): void => {
    code += source.slice(at, at + count);
    at += count;
  };
  const template = (): void => {
    const end = endOf(/\$\{|`/g, source, at);
    blank(end.at);
    if (end.found === '${') templates.push(depth);
    copy(end.found.length);
    if (end.found === '${') depth++;
  };

  while (at < source.length) {
    const char = source[at] ?? '';
    const pair = source.slice(at, at + 2);
    if (pair === '//' || pair === '/*') {
      const close = pair === '//' ? source.indexOf('\n', at) : source.indexOf('*/', at + 2) + 2;
      const end = close < at + 2 ? source.length : close;
      comments.push({ start: at, end });
      blank(end);
    } else if (char === "'" || char === '"') {
      const end = endOf(new RegExp(`${char}|\n`, 'g'), source, at + 1);
      copy(1);
      blank(end.at);
      copy(end.found.length);
    } else if (char === '`') {
      copy(1);
      template();
    } else if (char === '/' && BEFORE_REGEX.test(code.slice(-20))) {
      const literal = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;
      literal.lastIndex = at;
      const length = literal.exec(source)?.[0].length ?? 1;
      blank(at + length);
    } else if (char === '{') {
      depth++;
      copy(1);
    } else if (char === '}') {
      depth--;
      copy(1);
      if (templates.at(-1) === depth) {
        templates.pop();
        template();
      }
    } else {
      copy(1);
    }
  }
  return { code, comments };
}

/** The first unescaped match at or after `from`; the end of the source where there is none. */
function endOf(pattern: RegExp, source: string, from: number): { at: number; found: string } {
  const either = new RegExp(`\\\\[sS]|${pattern.source}`, 'g');
  either.lastIndex = from;
  for (let match = either.exec(source); match !== null; match = either.exec(source)) {
    if (!match[0].startsWith('\\')) return { at: match.index, found: match[0] };
  }
  return { at: source.length, found: '' };
}
