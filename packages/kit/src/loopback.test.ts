import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost.example.org', false],
  ['127.example.org', false],
  ['127.0.0.1.example.org', false],
  ['192.168.0.1', false],
  ['[::12]', false],
  ['', false],
])('the host %j is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
