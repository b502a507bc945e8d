import { posix } from 'node:path';
import { allowedFolders, folderOf, TOP } from './folder-graph.ts';
import { FOLDERS } from './folders.ts';
import { CLOUD_FEATURE_DOORS, ROUTES, TESTS_MAY_IMPORT, WORKSPACES } from './rules.ts';

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g;

/**
 * The broken direction rules of one file, a sentence each.
 *
 * @param file path from the project's root, with forward slashes
 */
export function violationsOf(file: string, source: string): string[] {
  return importsOf(source).flatMap((specifier) => {
    const reason = specifier.startsWith('.')
      ? relativeViolation(file, posix.join(posix.dirname(file), specifier))
      : packageViolation(file, specifier);
    return reason === undefined ? [] : [`${file}: imports ${specifier}: ${reason}`];
  });
}

function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

function workspaceOf(file: string): string | undefined {
  return Object.keys(WORKSPACES).find((workspace) => file.startsWith(`${workspace}/`));
}

function isTest(file: string): boolean {
  return /\.(test|look|docs|fuzz|outage)\.ts$/.test(file) || /\/(test|testing)\//.test(file);
}

function packageViolation(file: string, specifier: string): string | undefined {
  const [, name] = /^@heliograph\/([^/]+)/.exec(specifier) ?? [];
  const workspace = workspaceOf(file);
  if (name === undefined || workspace === undefined) return undefined;
  if (workspace.endsWith(`/${name}`)) return 'a workspace imports its own files by path';
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
  return folderViolation(file, target) ?? featureViolation(file, target);
}

function folderViolation(file: string, target: string): string | undefined {
  const from = folderOf(file);
  const to = folderOf(target);
  if (from === undefined || from.src !== to?.src || from.folder === to.folder || from.folder === TOP)
    return undefined;
  const table = FOLDERS[from.src];
  if (table === undefined) return `scripts/directions/folders.ts has no folders for ${from.src}`;
  if (to.folder === TOP) return 'no folder imports the files above the folders';
  if (!allowedFolders(table, from.folder).includes(to.folder))
    return `${from.folder} may not import ${to.folder}`;
  const isFeature = from.folder.startsWith('features/') && to.folder === 'http';
  return isFeature && !ROUTES.test(file) ? 'only routes know HTTP' : undefined;
}

/** A cloud feature reaches another only through its service. */
function featureViolation(file: string, target: string): string | undefined {
  const FEATURE = /^apps\/cloud\/src\/features\/([^/]+)\/(.+)$/;
  const from = FEATURE.exec(file);
  const to = FEATURE.exec(target);
  if (from === null || to === null || from[1] === to[1]) return undefined;
  return CLOUD_FEATURE_DOORS.includes(to[2] ?? '')
    ? undefined
    : `feature ${to[1]} is entered through its service`;
}
