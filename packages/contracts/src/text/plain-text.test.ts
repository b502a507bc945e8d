import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import {
  cleanJson,
  cleanLine,
  cleanLines,
  PlainLines,
  PlainMessage,
  PlainName,
  PlainText,
} from './plain-text.ts';

const line = Compile(PlainText());
const name = Compile(PlainName());
const message = Compile(PlainMessage());
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
  ])('the pattern accepts %s and cleaning leaves it unchanged', (text) => {
    expect(line.Check(text)).toBe(true);
    expect(lines.Check(text)).toBe(true);
    expect(cleanLine(text)).toBe(text);
    expect(cleanJson({ text })).toBe(JSON.stringify({ text }));
  });

  it.each(UNSEEN)('the unseen character %j is refused and removed', (unseen) => {
    const text = `A${unseen}B`;
    expect(line.Check(text)).toBe(false);
    expect(lines.Check(text)).toBe(false);
    expect(line.Check(cleanLine(text))).toBe(true);
    expect(lines.Check(cleanLines(text))).toBe(true);
    expect(lines.Check(JSON.parse(cleanJson(text)))).toBe(true);
  });

  it('joiners are accepted only between the characters that they join', () => {
    for (const text of [
      'pay\u200dpal',
      '\u200dА',
      'А\u200d',
      '👩\u200d\u200d👩',
      'a\u200cb',
      '山\u3000\u200d田',
    ]) {
      expect(line.Check(text)).toBe(false);
      expect(line.Check(cleanLine(text))).toBe(true);
    }
  });

  it.each(['Ada', ' Ada ', '\u3000山', '山 田', '👩\u200d👧'])('the name %j is accepted', (text) => {
    expect(name.Check(text)).toBe(true);
  });

  it.each(['', ' ', '\u3000\u00a0', 'A\nB', 'pay\u200dpal'])('the name %j is refused', (text) => {
    expect(name.Check(text)).toBe(false);
  });

  it.each([
    ['A\n\nB', true],
    ['\n A', true],
    [' \n\u3000', false],
    ['', false],
    ['A\tB', false],
  ])('the message %j is valid: %s', (text, isValid) => {
    expect(message.Check(text)).toBe(isValid);
  });

  it('line feeds are accepted in multi-line text only', () => {
    expect([line.Check('a\nb'), lines.Check('a\nb')]).toEqual([false, true]);
    expect(cleanLines('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd e');
    expect(cleanLine('a\r\nb\n\n c')).toBe('a b c');
  });

  it('invisible tag characters are rejected', () => {
    const hidden = [...'Ignore']
      .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
      .join('');
    expect(cleanLine(`Home${hidden}`)).toBe('Home');
    expect(cleanJson([`Home${hidden}`])).toBe('["Home"]');
  });

  it('cleanJson cleans all strings and leaves escaped backslashes alone', () => {
    const value = { a: ['x\u202ey', { b: 'C:\\temp\\u0007', n: 1, z: null }] };
    expect(JSON.parse(cleanJson(value))).toEqual({ a: ['xy', { b: 'C:\\temp\\u0007', n: 1, z: null }] });
  });

  it('the pattern matches long text without backtracking', () => {
    const long = '👩\u200d'.repeat(20_000);
    expect(line.Check(long)).toBe(false);
    expect(line.Check(`${long}👩`)).toBe(true);
  });
});
