import data from '@mdn/browser-compat-data' with { type: 'json' };
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { OLDEST_BROWSERS } from '../../build/oldest-browsers.ts';

type Browser = keyof typeof OLDEST_BROWSERS;

/** A function, a global or a feature of CSS in MDN's data. */
export interface Feature {
  /** Its path in the data, such as `javascript.builtins.Map.groupBy`. */
  readonly path: string;
  /** The supported browsers that lack it, with the versions that brought it; empty where the oldest of all have it. */
  readonly lackedBy: readonly string[];
}

/** Members of these are members of the global object. */
const GLOBAL_SCOPES = ['_globals', 'Window', 'WorkerGlobalScope', 'ServiceWorkerGlobalScope'];

/** Names of an interface in the data that are no member of it. */
const NOT_A_MEMBER = /_event$|_permission$|^@@|^__compat$/;

/** Features of the language and of browsers by the name that code uses; a name may have many owners. */
export const FUNCTIONS = functionsOf();

/** Features of CSS by property, at-rule (`@container`), pseudo-class or element (`:has`), and function or type (`color-mix()`). */
export const STYLES = stylesOf();

/** The versions of browsers that brought a feature. @throws where the data has no such path */
export function versionsWith(path: string): Readonly<Record<string, number>> {
  let at: Identifier | undefined = data as unknown as Identifier;
  for (const part of path.split('.')) at = at?.[part];
  const compat = at?.__compat;
  if (compat === undefined) throw new Error(`The data have no ${path}`);
  const browsers = Object.keys(OLDEST_BROWSERS) as Browser[];
  return Object.fromEntries(browsers.map((browser) => [browser, versionWith(compat, browser)]));
}

/** The version of a browser that brought a feature, also with a prefix, which the build adds; Infinity where none did. */
function versionWith({ support }: CompatStatement, browser: Browser): number {
  const entries = [support[browser] ?? []].flat();
  return Math.min(...entries.map(versionOf));
}

function versionOf(entry: SimpleSupportStatement): number {
  const { version_added: added, version_removed: removed, flags, alternative_name: other } = entry;
  // A part that was there stays there: the data call it removed since the rest came.
  const isGone = removed !== undefined && entry.partial_implementation !== true;
  if (isGone || flags !== undefined || other !== undefined) return Number.POSITIVE_INFINITY;
  // A range, such as ≤37, is older than any that is supported.
  const version = Number.parseFloat(String(added).replace('≤', ''));
  return Number.isNaN(version) ? Number.POSITIVE_INFINITY : version;
}

function featureOf(path: string, compat: CompatStatement): Feature {
  const lackedBy = Object.entries(OLDEST_BROWSERS).flatMap(([browser, oldest]) => {
    const version = versionWith(compat, browser as Browser);
    return version > Number(oldest) ? [`${browser} before ${version}`] : [];
  });
  return { path, lackedBy };
}

interface Functions {
  readonly globals: ReadonlyMap<string, readonly Feature[]>;
  /** By owner and name, such as `Map.groupBy`. */
  readonly statics: ReadonlyMap<string, readonly Feature[]>;
  /** Members of instances, and statics, by their name alone. */
  readonly members: ReadonlyMap<string, readonly Feature[]>;
}

function functionsOf(): Functions {
  const globals = new Map<string, Feature[]>();
  const statics = new Map<string, Feature[]>();
  const members = new Map<string, Feature[]>();
  const roots = { api: data.api, 'javascript.builtins': data.javascript['builtins'] };
  for (const [root, owners] of Object.entries(roots)) {
    for (const [owner, entry] of identifiersIn(owners)) {
      if (entry.__compat) add(globals, owner, featureOf(`${root}.${owner}`, entry.__compat));
      for (const [key, member] of identifiersIn(entry)) {
        if (NOT_A_MEMBER.test(key) || !member.__compat) continue;
        const name = key.replace(/_static$/, '');
        const feature = featureOf(`${root}.${owner}.${key}`, member.__compat);
        add(members, name, feature);
        if (key !== name || root !== 'api') add(statics, `${owner}.${name}`, feature);
        if (GLOBAL_SCOPES.includes(owner)) add(globals, name, feature);
      }
    }
  }
  return { globals, statics, members };
}

function stylesOf(): ReadonlyMap<string, readonly Feature[]> {
  const styles = new Map<string, Feature[]>();
  const { properties, selectors, types, 'at-rules': atRules } = data.css;
  const kinds = [
    { root: 'properties', entries: properties, nameOf: (name: string) => name },
    { root: 'selectors', entries: selectors, nameOf: (name: string) => `:${name}` },
    { root: 'at-rules', entries: atRules, nameOf: (name: string) => `@${name}` },
    { root: 'types', entries: types, nameOf: (name: string) => `${name}()` },
  ];
  for (const { root, entries, nameOf } of kinds) {
    for (const [name, entry] of identifiersIn(entries)) {
      if (entry.__compat) add(styles, nameOf(name), featureOf(`css.${root}.${name}`, entry.__compat));
      if (root !== 'types') continue;
      // Colours and other types list the functions that make them.
      for (const [part, { __compat }] of identifiersIn(entry))
        if (__compat) add(styles, nameOf(part), featureOf(`css.${root}.${name}.${part}`, __compat));
    }
  }
  return styles;
}

function identifiersIn(entry: Identifier | undefined): [string, Identifier][] {
  return Object.entries(entry ?? {}).filter(
    (pair): pair is [string, Identifier] => pair[0] !== '__compat' && typeof pair[1] === 'object',
  );
}

function add(features: Map<string, Feature[]>, name: string, feature: Feature): void {
  const others = features.get(name);
  if (others === undefined) features.set(name, [feature]);
  else others.push(feature);
}

/** A function as a page finds it. */
export interface LackedFunction {
  /** Undefined for a global. */
  readonly owner: string | undefined;
  readonly name: string;
  /** Whether the owner itself has it, not its instances. */
  readonly isStatic: boolean;
}

/** All that one of the oldest supported browsers lacks. */
export function lackedFunctions(): LackedFunction[] {
  const { globals, members } = FUNCTIONS;
  const lacked = (features: readonly Feature[]) => features.filter(({ lackedBy }) => lackedBy.length > 0);
  const ofMembers = [...members.values()].flatMap(lacked).map(({ path }): LackedFunction => {
    const [key = '', owner = ''] = path.split('.').toReversed();
    const name = key.replace(/_static$/, '');
    return GLOBAL_SCOPES.includes(owner)
      ? { owner: undefined, name, isStatic: true }
      : { owner, name, isStatic: key !== name || path.startsWith('javascript.') };
  });
  const ofGlobals = [...globals].flatMap(([name, features]) =>
    lacked(features).length === features.length ? [{ owner: undefined, name, isStatic: true }] : [],
  );
  return [...ofMembers, ...ofGlobals];
}
