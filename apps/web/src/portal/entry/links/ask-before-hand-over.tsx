import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';

interface AskBeforeHandOverProps {
  /** Of whoever is signed in now. */
  readonly email: string;
  readonly onWanted: () => void;
}

export function AskBeforeHandOver({ email, onWanted }: AskBeforeHandOverProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  return (
    <>
      <PageTitle text={t('signIn.title')} takesFocus />
      <Text>{t('handOver.ask', { email })}</Text>
      <Group>
        <Button onClick={onWanted}>{t('signIn.title')}</Button>
        <Button component={Link} href="/sites" variant="default">
          {shared('cancel')}
        </Button>
      </Group>
    </>
  );
}
