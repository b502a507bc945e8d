import i18next from 'i18next';
import { TextsMissing } from '../browser/chunk-errors.ts';
import type { Namespace } from './namespaces.ts';

/** @throws when texts are missing: i18next does not, and a page would show the keys of its texts */
export function checkTexts(namespaces: readonly Namespace[]): void {
  const missing = namespaces.filter((one) => !i18next.hasResourceBundle(i18next.language, one));
  if (missing.length > 0) throw new TextsMissing(`The texts ${missing.join(', ')} could not be loaded`);
}
