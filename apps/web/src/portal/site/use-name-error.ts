import { useTranslation } from 'react-i18next';
import { isSiteName } from './site-name.ts';

interface NameError {
  /** In words; undefined for a name that may be. */
  readonly message: string | undefined;
  /** Whether it is known without asking the cloud. */
  readonly isLocal: boolean;
}

/**
 * What is wrong with a site's name. An empty one is not: a site may go without.
 *
 * @param refused what the cloud said of the name that was sent
 */
export function useNameError(name: string, refused: string | undefined): NameError {
  const { t } = useTranslation('sites');
  const trimmed = name.trim();
  if (trimmed !== '' && !isSiteName(trimmed)) return { message: t('name.wrong'), isLocal: true };
  // What the rule allows and the cloud refuses is another site's.
  return { message: refused === undefined ? undefined : t('name.taken'), isLocal: false };
}
