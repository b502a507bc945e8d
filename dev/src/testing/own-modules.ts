import { flushCompileCache, isBuiltin, type ResolveHookSync, registerHooks } from 'node:module';

const BUILTIN_SCHEME = 'node:';

/** A file beside the one that imports it, with its whole name, such as `./index.ts`. */
const BESIDE = /^\.\.?\/.*\.ts$/;

const ROOT = new URL('../../../', import.meta.url).href;

/** A package, or a part of one. */
const PACKAGE = /^(?:@[\w-]+\/)?[\w-][\w.-]*(?:\/|$)/;

/** By workspace, whose modules import the same packages hundreds of times. */
const resolved = new Map<string, ReturnType<Parameters<ResolveHookSync>[2]>>();

/** A worker has loaded most of its modules by then, in milliseconds. */
const FLUSH_AFTER_MS = 60_000;

/**
 * Resolves imports of built-in modules and of the project's own files, which name a file and need no search, and of packages that
 * were found for the same workspace. Vitest's hook, which runs after this one, sends its main process a message for each import; it
 * needs them where it watches files.
 */
if (process.env.VITEST_MODE !== 'WATCH') {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (isBuiltin(specifier)) {
        const url = specifier.startsWith(BUILTIN_SCHEME) ? specifier : BUILTIN_SCHEME + specifier;
        return { url, format: 'builtin', shortCircuit: true };
      }
      const { parentURL, conditions } = context;
      if (parentURL === undefined || parentURL.includes('/node_modules/')) {
        return nextResolve(specifier, context);
      }
      if (BESIDE.test(specifier)) {
        return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
      }
      if (!PACKAGE.test(specifier) || !parentURL.startsWith(ROOT)) return nextResolve(specifier, context);
      const [folder, workspace] = parentURL.slice(ROOT.length).split('/');
      const key = [folder, workspace, specifier, conditions].join();
      const found = resolved.get(key) ?? nextResolve(specifier, context);
      resolved.set(key, found);
      return { ...found, shortCircuit: true };
    },
  });
}

// Vitest ends workers by a signal, upon which Node does not store compiled code for the next run.
setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
