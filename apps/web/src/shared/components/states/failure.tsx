import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../errors/words.ts';

interface FailureProps {
  readonly error: unknown;
  /** Left out where trying again is of no use. */
  readonly onRetry?: () => void;
}

/** Says in words what went wrong, and offers to try again. */
export function Failure({ error, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" variant="light" role="alert">
      <Stack align="flex-start" gap="sm">
        <Text>{errorWords(error, t)}</Text>
        {onRetry && (
          <Button variant="default" size="sm" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
