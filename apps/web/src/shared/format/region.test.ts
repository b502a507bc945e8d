import { expect, it } from 'vitest';
import { regionalTag } from './region.ts';

it.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-AT', 'en-US'], 'en-US'],
  ['de', ['en-GB'], 'de'],
  ['zh-CN', ['zh-TW', 'zh'], 'zh-CN'],
  ['pt', [], 'pt'],
  ['en', ['en-US@posix'], 'en'],
  ['en', ['en-US@posix', 'en'], 'en'],
])('the language %s with the preferences %j is formatted as %s', (language, preferred, tag) => {
  expect(regionalTag(language, preferred)).toBe(tag);
});
