import type { BrowserContext } from '@heliograph/dev/testing/browser';
import { lackedFunctions } from './compat-data.ts';

/** Takes from every page of a window the functions that one of the oldest supported browsers lacks. */
export async function removeNewerFunctions(context: BrowserContext): Promise<void> {
  await context.addInitScript((functions) => {
    const owners = globalThis as unknown as Record<string, Record<string, unknown> | undefined>;
    for (const { owner, name, isStatic } of functions) {
      const of = owner === undefined ? owners : owners[owner];
      const holder = (isStatic ? of : of?.['prototype']) as Record<string, unknown> | undefined;
      if (holder !== undefined) delete holder[name];
    }
  }, lackedFunctions());
}
