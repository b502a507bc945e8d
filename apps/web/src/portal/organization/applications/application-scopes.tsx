import type { ApplicationScope } from '@heliograph/client';
import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './applications.module.css';
import { APPLICATION_SCOPE_LABELS, APPLICATION_SCOPES } from './scope-labels.ts';

interface ApplicationScopesProps {
  readonly value: readonly ApplicationScope[];
  readonly error?: string | undefined;
  readonly onChange: (scopes: readonly ApplicationScope[]) => void;
}

/** What an application may ask for, which stays so for good. */
export function ApplicationScopes({ value, error, onChange }: ApplicationScopesProps) {
  const { t } = useTranslation('organization');
  return (
    <fieldset className={classes.scopes}>
      <legend className={classes.legend}>{t('applications.scopes')}</legend>
      <Text size="sm" c="dimmed">
        {t('applications.scopesHint')}
      </Text>
      {APPLICATION_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          label={t(APPLICATION_SCOPE_LABELS[scope])}
          description={<code>{scope}</code>}
          checked={value.includes(scope)}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ currentTarget: { checked } }) =>
            onChange(APPLICATION_SCOPES.filter((one) => (one === scope ? checked : value.includes(one))))
          }
        />
      ))}
      {error !== undefined && <Text c="red">{error}</Text>}
    </fieldset>
  );
}
