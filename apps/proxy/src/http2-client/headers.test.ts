import { describe, expect, test } from 'vitest';
import { HeaderDecoder } from './header-decoder.ts';
import { encodeHeaders, UnsendableHeader } from './header-encoder.ts';

const decode = (decoder: HeaderDecoder, hex: string): string[] =>
  decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('HeaderDecoder', () => {
  test('the answers of RFC 7541 appendix C.6 decode with the fields of the table and in Huffman code', () => {
    const decoder = new HeaderDecoder();
    const setTo256Bytes = '3f e1 01';
    const location = ['location', 'https://www.example.com'];
    const date = ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'];
    const first =
      '48 82 64 02 58 85 ae c3 77 1a 4b 61 96 d0 7a be 94 10 54 d4 44 a8 20 05 95 04 0b 81 66 e0 82 a6' +
      '2d 1b ff 6e 91 9d 29 ad 17 18 63 c7 8f 0b 97 c8 e9 ae 82 ae 43 d3';
    expect(decode(decoder, setTo256Bytes + first)).toEqual([
      ...[':status', '302', 'cache-control', 'private'],
      ...date,
      ...location,
    ]);
    expect(decode(decoder, '48 83 64 0e ff c1 c0 bf')).toEqual([
      ...[':status', '307', 'cache-control', 'private'],
      ...date,
      ...location,
    ]);
    const third =
      '88 c1 61 96 d0 7a be 94 10 54 d4 44 a8 20 05 95 04 0b 81 66 e0 84 a6 2d 1b ff c0 5a 83 9b d9 ab' +
      '77 ad 94 e7 82 1d d7 f2 e6 c7 b3 35 df df cd 5b 39 60 d5 af 27 08 7f 36 72 c1 ab 27 0f b5 29 1f' +
      '95 87 31 60 65 c0 03 ed 4e e5 b1 06 3d 50 07';
    expect(decode(decoder, third)).toEqual([
      ...[':status', '200', 'cache-control', 'private', 'date', 'Mon, 21 Oct 2013 20:13:22 GMT'],
      ...[...location, 'content-encoding', 'gzip'],
      ...['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'],
    ]);
  });

  test('a field that was evicted for newer ones cannot be referred to', () => {
    const decoder = new HeaderDecoder();
    const long = `40 01 61 7f 81 0f ${'78'.repeat(2_048)}`;
    expect(decode(decoder, long)).toEqual(['a', 'x'.repeat(2_048)]);
    expect(decode(decoder, 'be')).toHaveLength(2);
    decode(decoder, long);
    expect(decode(decoder, 'be')).toHaveLength(2);
    expect(() => decode(decoder, 'bf')).toThrow('a reference to no field');
  });

  test.each([
    ['a field without a number', '80', 'a reference to no field'],
    ['a field beyond the table', 'c0', 'a reference to no field'],
    ['a number that does not end', 'ff', 'a number that does not end'],
    ['a number that is too large', 'ff ff ff ff ff ff ff 0f', 'a number that is too large'],
    ['a text that does not end', '00 05 61', 'a text that does not end'],
    ['a text that ends with the code of its end', '00 01 61 84 ff ff ff ff', 'a text in no valid code'],
    ['a text that ends within a code', '00 01 61 81 00', 'a text in no valid code'],
    ['a text with more padding than seven bits', '00 01 61 82 1f ff', 'a text in no valid code'],
    ['a table beyond the limit', '3f e2 1f', 'a table that is too large'],
    ['a change of the table after a field', '88 20', 'a change of the table within a block'],
  ])('a block with %s is invalid', (_name, hex, reason) => {
    expect(() => decode(new HeaderDecoder(), hex)).toThrow(reason);
  });
});

describe('encodeHeaders', () => {
  test.each([
    ['the usual pseudo headers', [':method', 'GET', ':scheme', 'http', ':path', '/']],
    [
      'other pseudo headers',
      [':method', 'PROPFIND', ':path', '/a?b', ':authority', 'x:1', ':protocol', 'websocket'],
    ],
    ['secrets', ['authorization', 'Bearer t', 'cookie', 'a=b', 'site-key', 'k']],
    ['an empty value', ['x-empty', '']],
    ['long values', ['x-a', 'v'.repeat(126), 'x-b', 'v'.repeat(127), 'x-c', 'v'.repeat(40_000)]],
    ['a long name', [`x-${'n'.repeat(300)}`, 'v']],
    ['bytes beyond ASCII', ['x-umlaut', 'Gr\xfc\xdfe']],
  ])('%s reach the other side as they are', (_name, headers) => {
    const block = Buffer.from(encodeHeaders(headers), 'latin1');
    expect(new HeaderDecoder().decode(block)).toEqual(headers);
  });

  test.each([
    ['a name with a space', ['a b', '1']],
    ['a name with capitals', ['Accept', '1']],
    ['an empty name', ['', '1']],
    ['a line end in a value', ['a', 'b\r\nc: d']],
    ['a zero byte in a value', [':path', '/\0']],
    ['a character that is no byte', ['a', '\u{20ac}']],
  ])('%s is not sent', (_name, headers) => {
    expect(() => encodeHeaders(headers)).toThrow(UnsendableHeader);
  });
});
