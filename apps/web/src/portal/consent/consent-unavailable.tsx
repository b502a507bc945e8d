import { ApiError } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../shared/components/states/failure.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';

interface ConsentUnavailableProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** There is nothing to decide: it was decided already, took too long, or cannot be shown right now. */
export function ConsentUnavailable({ error, onRetry }: ConsentUnavailableProps) {
  const { t } = useTranslation('consent');
  const isGone = error instanceof ApiError && error.status === 404;
  return isGone ? (
    <>
      <PageTitle text={t('gone.title')} focusOnMount />
      <Text>{t('gone.text')}</Text>
    </>
  ) : (
    <>
      <PageTitle text={t('failed')} focusOnMount />
      <Failure error={error} onRetry={onRetry} />
    </>
  );
}
