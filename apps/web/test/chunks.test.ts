import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MODULE_PATTERNS } from '../build/chunks.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** Modules that the build makes itself. */
const VIRTUAL_MODULES = ['\0vite/preload-helper.js', '\0virtual:texts', '\0rolldown/runtime.js'];

/** Libraries that pages load. */
const LIBRARIES =
  '{@mantine/core,@tanstack/*,clsx,i18next,react,react-dom,react-i18next,regexparam,scheduler,uplot,use-sync-external-store,wouter}';

const MODULES = [
  ...VIRTUAL_MODULES,
  ...globSync(['apps/web/src/**/*.{ts,tsx,css}', 'packages/*/src/**/*.ts'], { cwd: ROOT }).map(absolute),
  ...globSync(`node_modules/${LIBRARIES}/**/*.{js,mjs}`, { cwd: ROOT }).map(absolute),
];

function absolute(path: string): string {
  return `/project/${path}`;
}

/** The index behind the character, class or group at an index of a pattern. */
function endOfPiece(source: string, start: number): number {
  if (source[start] === '\\') return start + 2;
  if (source[start] === '[') {
    let end = start + 1;
    while (source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  if (source[start] !== '(') return start + 1;
  let end = start + 1;
  while (source[end] !== ')') end = endOfPiece(source, end);
  return end + 1;
}

/** A pattern once for each of its alternatives, those of inner groups as well; lookaheads stay whole. */
function alternatives(source: string): string[] {
  let branchStart = 0;
  const branches: string[] = [];
  for (let at = 0; at < source.length; at = endOfPiece(source, at)) {
    if (source[at] !== '|') continue;
    branches.push(source.slice(branchStart, at));
    branchStart = at + 1;
  }
  branches.push(source.slice(branchStart));
  return branches.flatMap(expandGroups);
}

function expandGroups(branch: string): string[] {
  let heads = [''];
  let at = 0;
  while (at < branch.length) {
    const end = endOfPiece(branch, at);
    const pieces = branch.startsWith('(?:', at)
      ? alternatives(branch.slice(at + '(?:'.length, end - 1)).map((inner) => `(?:${inner})`)
      : [branch.slice(at, end)];
    heads = heads.flatMap((head) => pieces.map((piece) => head + piece));
    at = end;
  }
  return heads;
}

test('a pattern is divided into its alternatives', () => {
  expect(alternatives(String.raw`a\|(?:b|c(?!x|y)(?:d|[|)]))+|e`)).toEqual([
    String.raw`a\|(?:b)+`,
    String.raw`a\|(?:c(?!x|y)(?:d))+`,
    String.raw`a\|(?:c(?!x|y)(?:[|)]))+`,
    'e',
  ]);
});

test('each alternative of the patterns of chunks matches a module', () => {
  const unmatched = MODULE_PATTERNS.flatMap(({ source }) => alternatives(source)).filter((alternative) => {
    const pattern = new RegExp(alternative);
    return !MODULES.some((module) => pattern.test(module));
  });
  expect(unmatched).toEqual([]);
});
