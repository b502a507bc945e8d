import { flushCompileCache, isBuiltin, registerHooks } from 'node:module';

const BUILTIN_SCHEME = 'node:';

/** A file beside the one that imports it, with its whole name, such as `./index.ts`. */
const BESIDE = /^\.\.?\/.*\.ts$/;

/** A worker has loaded most of its modules by then, in milliseconds. */
const FLUSH_AFTER_MS = 60_000;

/**
 * Resolves imports of built-in modules and of the project's own files, which name a file and need no search. Vitest's hook, which
 * runs after this one, sends its main process a message for each import; it needs them where it watches files.
 */
if (process.env.VITEST_MODE !== 'WATCH') {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (isBuiltin(specifier)) {
        const url = specifier.startsWith(BUILTIN_SCHEME) ? specifier : BUILTIN_SCHEME + specifier;
        return { url, format: 'builtin', shortCircuit: true };
      }
      const { parentURL } = context;
      if (parentURL === undefined || !BESIDE.test(specifier) || parentURL.includes('/node_modules/')) {
        return nextResolve(specifier, context);
      }
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    },
  });
}

// Vitest ends workers by a signal, upon which Node does not store compiled code for the next run.
setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
