import { NotFound } from '@heliograph/kit';

/**
 * What is asked of one site.
 *
 * @throws NotFound, in words that help an agent on, when the caller sees no such site
 */
export async function orSiteNotFound<T>(siteId: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(`There is no site ${siteId} that this token sees: find_sites lists those there are`);
  }
}
