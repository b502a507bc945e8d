import { NOT_STORABLE } from '@heliograph/http/bodies';
import { BadRequest } from '@heliograph/kit';
import type { App } from './app-type.ts';

/** Refuses paths and queries with text that PostgreSQL cannot store; the parser of bodies does so for these. */
export function requireStorableText(app: App): void {
  app.addHook('preValidation', async ({ query, params }) => {
    if (![query, params].every(isStorable)) throw new BadRequest(NOT_STORABLE);
  });
}

/** @param parameters texts by name, or several of the same name */
function isStorable(parameters: unknown): boolean {
  const texts = Object.entries(parameters ?? {}).flat(2);
  return texts.every((text) => typeof text !== 'string' || (!text.includes('\0') && text.isWellFormed()));
}
