import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Asks for the next page of a list; not there when there is none. */
export function MoreButton({ list }: MoreButtonProps) {
  const { t } = useTranslation('portal');
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      style={{ alignSelf: 'center' }}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {t('list.more')}
    </Button>
  );
}
