import { describe, expect, it } from 'vitest';
import { findingsIn, findingsInMarkdown, pathFindings } from './find.ts';
import { homonymsIn } from './homonyms.ts';

describe('findingsIn', () => {
  it.each([
    ['a name', 'const toldAt = 1;'],
    ['a capital name', 'interface DialWish {}'],
    ['a constant', 'const WORDS_OF = 1;'],
    ['a bound in other words', 'const MOST_DAYS = 1;'],
    ['a batch in other words', 'const AT_ONCE = 1;'],
    ['a name inside a template', `const a = \`the \${asked} one\`;`],
    ['a comment', '/** Whether whoever asked may. */'],
    ['a comment that begins with What', '/** What is left. */'],
    ['a title', `it('is good once', () => {});`],
    ['a title of a table', `it.each([['a', (b)]])('answers %s', () => {});`],
    ['a title with a verb alone', `it('lists sites', () => {});`],
  ])('%s is found: %s', (_kind, source) => {
    expect(findingsIn(source)).toHaveLength(1);
  });

  it.each([
    ['a string', `const a = 'told';`],
    ['a field of the API', 'const a = { handed_over: 1 };'],
    ['a regular expression', 'const a = /told/;'],
    ['a division', 'const a = b / c; const d = e / f;'],
    ['a longer word', 'const passwords = handover;'],
    ['a title with a subject', `it('a token is accepted once', () => {});`],
    ['a plural that looks like a verb', `it('changes are written at once', () => {});`],
    ['an address in a string', `const a = 'https://a/b'; const c = 1;`],
  ])('%s is fine: %s', (_kind, source) => {
    expect(findingsIn(source)).toEqual([]);
  });

  it('a finding carries its line, after templates and comments too', () => {
    expect(findingsIn(`const a = \`x\n\${b}\n\`;\n// b\nconst told = 1;`)).toEqual([
      expect.objectContaining({ line: 5 }),
    ]);
  });
});

describe('findingsInMarkdown', () => {
  it('prose is read and code is left out', () => {
    expect(findingsInMarkdown('It tells all.\n```\ntold\n```\n`told` [a](told.md)')).toEqual([
      expect.objectContaining({ line: 1 }),
    ]);
  });
});

describe('pathFindings', () => {
  it.each(['src/keep-told.ts', 'src/office/a.ts'])('the path %s is found', (path) => {
    expect(pathFindings(path)).toHaveLength(1);
  });
});

describe('homonymsIn', () => {
  it('a type name that two files of a workspace export is found, and one of two workspaces is fine', () => {
    const files = new Map([
      ['apps/cloud/src/a.ts', 'export interface Frame {}\nexport interface A {}'],
      ['apps/cloud/src/b.ts', 'export type Frame = 1;'],
      ['apps/proxy/src/a.ts', 'export type A = 1;'],
    ]);
    expect(homonymsIn(files)).toEqual([
      'apps/cloud exports Frame more than once: apps/cloud/src/a.ts, apps/cloud/src/b.ts',
    ]);
  });
});
