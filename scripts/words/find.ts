import { maskSource } from './mask.ts';
import {
  AFTER_PLURAL,
  ALLOWED_NAMES,
  COMMENT_STARTS,
  NAME_WORDS,
  PROSE_WORDS,
  TITLE_STARTS,
  TITLE_VERBS,
} from './rules.ts';

export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Constants that name a bound or a batch in other words than the rest of the code. */
const CONSTANT = /^(?:MOST|LEAST|FEWEST|LONGEST|SHORTEST)_|(?:^|_)AT_ONCE$/;

const PROSE = new RegExp(`\\b(?:${PROSE_WORDS.join('|')})\\b`, 'gi');

/** Findings of one TypeScript file: its names, comments and titles of tests. */
export function findingsIn(source: string): Finding[] {
  const { code, comments } = maskSource(source);
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length;
  return [
    ...[...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index }) =>
      nameFindings(name).map((message) => ({ line: lineOf(index), message })),
    ),
    ...comments.flatMap(({ start, end }) =>
      commentFindings(source.slice(start, end)).map((message) => ({ line: lineOf(start), message })),
    ),
    ...titlesIn(source, code).flatMap(({ title, at }) =>
      titleFindings(title).map((message) => ({ line: lineOf(at), message })),
    ),
  ];
}

/** Findings of a page of documentation; code in it is left out. */
export function findingsInMarkdown(source: string): Finding[] {
  const prose = source
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/`[^`\n]*`|\]\([^)\n]*\)/g, (span) => ' '.repeat(span.length));
  return prose
    .split('\n')
    .flatMap((text, index) => proseFindings(text).map((message) => ({ line: index + 1, message })));
}

/** Names in snake_case are left out: they are fields of the API and columns of the database. */
export function nameFindings(name: string): string[] {
  if (Object.hasOwn(ALLOWED_NAMES, name) || /^[a-z]+_/.test(name)) return [];
  if (CONSTANT.test(name)) return [`the name ${name}: MAX_, MIN_, BATCH_SIZE or CONCURRENCY`];
  return wordsOf(name)
    .filter((word) => Object.hasOwn(NAME_WORDS, word))
    .map((word) => `the name ${name} holds "${word}": ${NAME_WORDS[word]}`);
}

/** Of a file or folder, the part between two slashes. */
export function pathFindings(path: string): string[] {
  return path
    .split('/')
    .flatMap((part) => wordsOf(part.replace(/\..*$/, '')))
    .filter((word) => Object.hasOwn(NAME_WORDS, word))
    .map((word) => `the path holds "${word}": ${NAME_WORDS[word]}`);
}

function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$-]/)
    .map((word) => word.toLowerCase());
}

function commentFindings(comment: string): string[] {
  const text = comment
    .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .trim();
  const first = /^\w+/.exec(text)?.[0] ?? '';
  return [
    ...(COMMENT_STARTS.includes(first) ? [`the comment begins with "${first}"`] : []),
    ...proseFindings(text),
  ];
}

function titleFindings(title: string): string[] {
  const [first = '', second = ''] = title.split(/\s+/);
  const isBare =
    TITLE_STARTS.has(first.toLowerCase()) || (TITLE_VERBS.has(first) && !AFTER_PLURAL.has(second));
  return [
    ...(isBare ? [`the title has no subject: "${title}"`] : []),
    ...(/^\S+$/.test(title) && !/[%$]/.test(title) ? [`the title is no sentence: "${title}"`] : []),
    ...proseFindings(title),
  ];
}

function proseFindings(text: string): string[] {
  return [...text.matchAll(PROSE)].map(
    ({ 0: word, index }) => `"${word}" in: ...${text.slice(Math.max(0, index - 30), index + 30).trim()}...`,
  );
}

/** The first argument of `it` and `test`, with `each` and its like; those that are no literal are left out. */
function titlesIn(source: string, code: string): { title: string; at: number }[] {
  return [...code.matchAll(/(?<![.\w])(?:it|test)(?:\.\w+)*\s*(?=\()/g)].flatMap(({ 0: head, index }) => {
    let open = index + head.length;
    if (/\.(?:each|for|runIf|skipIf)\s*$/.test(head)) open = code.indexOf('(', closeOf(code, open));
    const literal = /\(\s*(['"`])([\s\S]*?)(?<!\\)\1/y;
    literal.lastIndex = open;
    const title = literal.exec(source)?.[2];
    return title === undefined ? [] : [{ title, at: open }];
  });
}

function closeOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  return code.length;
}
