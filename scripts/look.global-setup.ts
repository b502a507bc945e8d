import { ensurePagesAreBuilt } from '@heliograph/web/build';

/** Vitest's global setup: walks measure what a first visit loads, of pages as packages have them. */
export async function setup(): Promise<void> {
  await ensurePagesAreBuilt('smallest');
}
