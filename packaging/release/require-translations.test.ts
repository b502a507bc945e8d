import { expect, it } from 'vitest';
import { requireTranslations } from './require-translations.ts';

it('a release is refused with the languages that lack texts', () => {
  expect(() => requireTranslations([{ locale: 'de', keys: ['site.name', 'site.days'] }])).toThrow(
    'make: texts are not translated: de (2); "npm run texts" lists them',
  );
  expect(() => requireTranslations([])).not.toThrow();
});
