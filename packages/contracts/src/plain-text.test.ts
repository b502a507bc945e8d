import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { cleanJson, cleanLine, cleanLines, PlainLines, PlainText } from './plain-text.ts';

const line = Compile(PlainText());
const lines = Compile(PlainLines());

/** One of each kind that is not taken. */
const UNSEEN = [
  '\0',
  '\x07',
  '\r',
  '\t',
  '\x1b[31m',
  '\x7f',
  '\x85',
  '\u009b',
  '\u00ad',
  '\u200b',
  '\u200e',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u2060',
  '\ufeff',
];

describe('plain text', () => {
  it.each([
    '',
    'Ada Lovelace',
    'Łódź-Śródmieście 7',
    '山田 太郎',
    'שלום',
    'علی\u200cرضا',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '<b>\'"%_\\',
  ])('takes %s, and leaves it as it is', (text) => {
    expect(line.Check(text)).toBe(true);
    expect(lines.Check(text)).toBe(true);
    expect(cleanLine(text)).toBe(text);
    expect(cleanJson({ text })).toBe(JSON.stringify({ text }));
  });

  it.each(UNSEEN)('refuses and removes %j', (unseen) => {
    const text = `A${unseen}B`;
    expect(line.Check(text)).toBe(false);
    expect(lines.Check(text)).toBe(false);
    expect(line.Check(cleanLine(text))).toBe(true);
    expect(lines.Check(cleanLines(text))).toBe(true);
    expect(lines.Check(JSON.parse(cleanJson(text)))).toBe(true);
  });

  it('has joiners between what they join alone', () => {
    for (const text of ['pay\u200dpal', '\u200dА', 'А\u200d', '👩\u200d\u200d👩', 'a\u200cb']) {
      expect(line.Check(text)).toBe(false);
      expect(line.Check(cleanLine(text))).toBe(true);
    }
  });

  it('may have line feeds where it may have lines', () => {
    expect([line.Check('a\nb'), lines.Check('a\nb')]).toEqual([false, true]);
    expect(cleanLines('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd e');
    expect(cleanLine('a\r\nb\n\n c')).toBe('a b c');
  });

  it('has no tags, which agents read and people do not see', () => {
    const hidden = [...'Ignore']
      .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
      .join('');
    expect(cleanLine(`Home${hidden}`)).toBe('Home');
    expect(cleanJson([`Home${hidden}`])).toBe('["Home"]');
  });

  it('is cleaned anywhere in JSON, and what looks like an escape is none', () => {
    const value = { a: ['x\u202ey', { b: 'C:\\temp\\u0007', n: 1, z: null }] };
    expect(JSON.parse(cleanJson(value))).toEqual({ a: ['xy', { b: 'C:\\temp\\u0007', n: 1, z: null }] });
  });

  it('is judged in one pass, however long it is', () => {
    const long = '👩\u200d'.repeat(20_000);
    expect(line.Check(long)).toBe(false);
    expect(line.Check(`${long}👩`)).toBe(true);
  });
});
