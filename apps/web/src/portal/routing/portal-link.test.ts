import { expect, it } from 'vitest';
import { pathOfPortalLink } from './portal-link.ts';

it.each([
  [
    '#register?uid=abc&callback=http%3A%2F%2F10.0.0.7%2Fcallback',
    '/sites/add?uid=abc&callback=http%3A%2F%2F10.0.0.7%2Fcallback',
  ],
  ['#register', '/sites/add'],
  ['#activate?uid=abc', '/sites/add?uid=abc'],
  ['#local?uid=abc', '/sites/local?uid=abc'],
  ['#/offline?host=demo.example.org', '/sites/offline?host=demo.example.org'],
  ['#constructor', undefined],
  ['#elsewhere?uid=abc', undefined],
  ['#', undefined],
  ['', undefined],
])('the fragment %s leads to %s', (hash, path) => {
  expect(pathOfPortalLink(hash)).toBe(path);
});
