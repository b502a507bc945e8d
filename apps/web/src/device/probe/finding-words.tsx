import type { ProbeFinding } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What answered, and where. */
export function FindingDetails({ finding: { title, bus, unit, units } }: { readonly finding: ProbeFinding }) {
  const { t } = useTranslation('configuration');
  const kinds = { inverters: t('probe.inverter'), batteries: t('probe.battery') };
  return (
    <>
      <Text fw={600}>{title}</Text>
      <Text size="sm">
        {units
          .map(({ kind, model }) => (model === null ? kinds[kind] : `${kinds[kind]}: ${model}`))
          .join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {bus}
        {unit !== null && ` · ${t('connections.unitIs', { unit })}`}
      </Text>
    </>
  );
}
