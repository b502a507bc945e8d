import { AppError } from '@heliograph/kit';
import { type getEnergy, readEnergy } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { requireSite } from '../../access/site-access.ts';
import type { Platform } from '../../platform.ts';
import { readableEnergy } from '../../sites/history/kept-history.ts';
import type { AnswerWhenOffline } from './site-tool.ts';

/** The answer of `get_energy` of a site that is offline. */
export function keptEnergy(platform: Pick<Platform, 'db' | 'clock'>): AnswerWhenOffline {
  return async (caller, siteId, given) => {
    try {
      const site = await requireSite(platform.db, caller, siteId, 'read');
      const energy = await readableEnergy(platform, site);
      return await readEnergy(energy, given as Static<typeof getEnergy.input>);
    } catch (error) {
      if (error instanceof AppError && error.code === 'no_history') return undefined;
      throw error;
    }
  };
}
