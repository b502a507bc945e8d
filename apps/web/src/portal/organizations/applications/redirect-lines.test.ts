import { expect, it } from 'vitest';
import { redirectLines } from './redirect-lines.ts';

it('each line that is not blank is one address', () => {
  expect(redirectLines(' https://a.example/back \r\n\n com.example.app:/signed-in\n')).toEqual([
    'https://a.example/back',
    'com.example.app:/signed-in',
  ]);
  expect(redirectLines('\n  \n')).toEqual([]);
});
