import { useTranslation } from 'react-i18next';
import { isSiteName } from './site-name.ts';

interface NameProblem {
  /** In words; undefined for a name that may be. */
  readonly words: string | undefined;
  /** Whether it is known without asking the cloud. */
  readonly isOurs: boolean;
}

/**
 * What is wrong with a site's name. An empty one is not: a site may go without.
 *
 * @param refused what the cloud said of the name that was sent
 */
export function useNameProblem(name: string, refused: string | undefined): NameProblem {
  const { t } = useTranslation('sites');
  const trimmed = name.trim();
  if (trimmed !== '' && !isSiteName(trimmed)) return { words: t('name.wrong'), isOurs: true };
  // What the rule allows and the cloud refuses is another site's.
  return { words: refused === undefined ? undefined : t('name.taken'), isOurs: false };
}
