import { isCsvLocale } from '@heliograph/contracts/csv-locale';
import { UsageError } from '@heliograph/kit/terminal';

/** The value of `--csv-locale`. @throws UsageError for what is not a language, or a language and its region */
export function csvLocale(text: string | undefined): string | undefined {
  if (text === undefined || isCsvLocale(text)) return text;
  throw new UsageError('--csv-locale must be a language such as de, or a language and region such as fr-CH');
}
