import { useTranslation } from 'react-i18next';
import { isSiteName } from './site-name.ts';

interface NameError {
  /** In words; undefined for a name that may be. */
  readonly message: string | undefined;
  /** Whether it is known without asking the cloud. */
  readonly isLocal: boolean;
}

/**
 * Validates a site's name. An empty name is valid: a site may go without.
 *
 * @param refused the cloud's message about the sent name
 */
export function useNameError(name: string, refused: string | undefined): NameError {
  const { t } = useTranslation('sites');
  const trimmed = name.trim();
  if (trimmed !== '' && !isSiteName(trimmed)) return { message: t('name.wrong'), isLocal: true };
  // A valid name that the cloud refuses is taken.
  return { message: refused === undefined ? undefined : t('name.taken'), isLocal: false };
}
