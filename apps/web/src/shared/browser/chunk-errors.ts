/**
 * A chunk or a file of texts that could not be loaded; `cause` has the reason. Browsers and React request each once, so
 * that only a reload of the page requests it again.
 */
export class ChunkMissing extends Error {
  override readonly name = 'ChunkMissing';

  constructor(cause: unknown) {
    super('A part of the pages could not be loaded', { cause });
  }
}

/** A chunk that was loaded and threw while it ran, as in a browser that lacks a function; `cause` has the exception. */
export class ChunkBroken extends Error {
  override readonly name = 'ChunkBroken';

  constructor(cause: unknown) {
    super(`A part of the pages failed to run: ${cause}`, { cause });
  }
}

/** Texts that i18next could not load, without its reason. */
export class TextsMissing extends Error {
  override readonly name = 'TextsMissing';
}

/**
 * Messages of Chromium and Firefox, of Safari, and of Vite for styles: the HTML standard has no error of its own for a
 * module that could not be fetched.
 */
const NOT_FETCHED = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether an import failed because a file could not be fetched; otherwise the module itself threw. */
export function isMissing(error: unknown): boolean {
  return error instanceof TextsMissing || (error instanceof Error && NOT_FETCHED.test(error.message));
}
