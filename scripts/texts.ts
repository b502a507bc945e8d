/** `npm run texts`: the texts that each language lacks. Pages, mails and messages show them in English until then. */
import { LOCALES } from '@heliograph/contracts';
import { untranslated } from '@heliograph/locales/untranslated';

const missing = untranslated();
for (const { locale, keys } of missing) {
  console.log(`${locale}: ${keys.length} missing`);
  for (const key of keys) console.log(`  ${key}`);
}
if (missing.length === 0) console.log(`All ${LOCALES.length} languages are complete.`);
