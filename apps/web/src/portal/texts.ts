import type { TextFile } from '../shared/i18n/text-files.ts';

/** The texts of the portal; the others are those of the device's own pages, and what stands there before any script. */
export const texts = import.meta.glob<TextFile>([
  '../locales/*/*.json',
  '!../locales/*/{device,configuration,waiting}.json',
]);
