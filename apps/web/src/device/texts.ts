import type { TextFile } from '../shared/i18n/text-files.ts';

/** The texts of the device's own pages. */
export const texts = import.meta.glob<TextFile>(
  '../locales/*/{shared,device,configuration,site,settings}.json',
);
