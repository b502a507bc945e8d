import { importsOf, isTest, targetOf } from './imports.ts';
import { TESTS_MAY_IMPORT, WORKSPACES } from './rules.ts';
import { WINGS } from './wings.ts';

/**
 * The broken direction rules of one file, a sentence each.
 *
 * @param file path from the project's root, with forward slashes
 */
export function violationsOf(file: string, source: string): string[] {
  return importsOf(source).flatMap((specifier) => {
    const reason = specifier.startsWith('.')
      ? relativeViolation(file, targetOf(file, specifier))
      : packageViolation(file, specifier);
    return reason === undefined ? [] : [`${file}: imports ${specifier}: ${reason}`];
  });
}

function workspaceOf(file: string): string | undefined {
  return Object.keys(WORKSPACES).find((workspace) => file.startsWith(`${workspace}/`));
}

function packageViolation(file: string, specifier: string): string | undefined {
  const [, name] = /^@heliograph\/([^/]+)/.exec(specifier) ?? [];
  const workspace = workspaceOf(file);
  if (name === undefined || workspace === undefined) return undefined;
  if (workspace.split('/').at(-1) === name) return 'a workspace imports its own files by path';
  if (WORKSPACES[workspace]?.includes(name)) return undefined;
  if (isTest(file) && TESTS_MAY_IMPORT.includes(name)) return undefined;
  return `${workspace} may not depend on ${name}`;
}

function relativeViolation(file: string, target: string): string | undefined {
  const workspace = workspaceOf(file);
  if (workspace !== undefined && !target.startsWith(`${workspace}/`)) {
    return 'other workspaces are imported by package name';
  }
  if (isTest(file)) return undefined;
  if (file.includes('/src/') && isTest(target)) return 'the product imports no tests';
  const reasons = Object.entries(WINGS).map(([parent, wings]) => orderViolation(parent, wings, file, target));
  return reasons.find((reason) => reason !== undefined);
}

function orderViolation(
  parent: string,
  wings: readonly string[],
  file: string,
  target: string,
): string | undefined {
  const from = placeBelow(parent, file, wings);
  const to = placeBelow(parent, target, wings);
  if (from === undefined || to === undefined || from === to || from === '') return undefined;
  if (to === '') return 'no folder imports the files above the folders';
  const unlisted = [from, to].find((folder) => !wings.includes(folder));
  if (unlisted !== undefined) return `scripts/directions/wings.ts has no folder ${unlisted} in ${parent}`;
  return wings.indexOf(to) < wings.indexOf(from) ? undefined : `${to} stands above ${from}`;
}

/** The first folder below the parent, or a listed file of its own; empty for its other files, undefined outside of it. */
function placeBelow(parent: string, file: string, wings: readonly string[]): string | undefined {
  if (!file.startsWith(`${parent}/`)) return undefined;
  const path = file.slice(parent.length + 1).split('/');
  const [first = ''] = path;
  return path.length > 1 || wings.includes(first) ? first : '';
}
