import { AppError } from '@heliograph/kit';
import { type getEnergy, readEnergy } from '@heliograph/mcp';
import type { Static } from 'typebox';
import type { SiteHistoryService } from '../../sites/history/service.ts';
import type { AnswerWhenOffline } from './site-tool.ts';

/** The answer of `get_energy` of a site that is offline. */
export function keptEnergy(history: Pick<SiteHistoryService, 'readableEnergy'>): AnswerWhenOffline {
  return async (caller, siteId, given) => {
    try {
      const energy = await history.readableEnergy(caller, siteId);
      return await readEnergy(energy, given as Static<typeof getEnergy.input>);
    } catch (error) {
      if (error instanceof AppError && error.code === 'no_history') return undefined;
      throw error;
    }
  };
}
