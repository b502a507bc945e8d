import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';

interface LastUse {
  readonly last_used_at: string | null;
  readonly last_used_address: string | null;
}

/** When something was last used, and from which address where that is known; undefined when it never was. */
export function useLastUse({ last_used_at: used, last_used_address: address }: LastUse): string | undefined {
  const { t } = useTranslation('account');
  const format = useFormat();
  if (used === null) return undefined;
  const ago = format.ago(used);
  return address === null ? t('life.used', { ago }) : t('life.usedFrom', { ago, address });
}
