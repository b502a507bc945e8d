import type { CustomTypeOptions } from 'i18next';

/** A file of texts in each language, loaded with the pages that need it. */
export type Namespace = keyof CustomTypeOptions['resources'];
