import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from './configuration-query.ts';

/** Why the last change was taken back, or why the file as it is cannot be used. */
export function ConfigurationProblem() {
  const { t } = useTranslation('configuration');
  const { problem, source } = useConfiguration();
  if (problem === null) return null;
  const isOfFile = source !== 'file';
  const substitute = source === 'nothing' ? 'configuration.noConfiguration' : 'configuration.lastWorking';
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={t(isOfFile ? 'configuration.unusableFile' : 'configuration.problem')}
    >
      {isOfFile && <Text mb="xs">{t(substitute)}</Text>}
      <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{problem}</Text>
    </Alert>
  );
}
