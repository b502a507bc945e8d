import { NotFound } from '@heliograph/kit';

/**
 * Replaces the message of NotFound by one that helps an agent.
 *
 * @throws NotFound, in words that help an agent on, when the caller sees no such site
 */
export async function orSiteNotFound<T>(siteId: number, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(`There is no site ${siteId} that this token sees: find_sites lists those there are`);
  }
}
