import type { Application, ApplicationScope, ApplicationWithSecret } from '@heliograph/client';
import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import classes from './applications.module.css';
import { redirectLines } from './redirect-lines.ts';

interface ChangeApplicationFormProps {
  readonly organizationId: number;
  readonly application: Application;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeApplicationForm(props: ChangeApplicationFormProps) {
  const { organizationId, application, onChanged, onClose } = props;
  const { t } = useTranslation('organization');
  const [name, setName] = useState(application.name);
  const [uris, setUris] = useState(application.redirect_uris.join('\n'));
  const { submit, isPending, fields, error } = useSubmit(
    () =>
      cloud.organizations
        .applications(organizationId)
        .change(application.client_id, { name, redirectUris: redirectLines(uris) }),
    {
      onDone: () => {
        onChanged();
        onClose();
      },
    },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('applications.name')}
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RedirectField value={uris} error={fields.redirect_uris} onChange={setUris} />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('branding.save')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RedirectFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Where users may be sent back to. */
export function RedirectField({ value, error, onChange }: RedirectFieldProps) {
  const { t } = useTranslation('organization');
  return (
    <Textarea
      label={t('applications.redirectUris')}
      description={t('applications.redirectHint')}
      placeholder="https://app.example.com/signed-in"
      rows={3}
      size="md"
      spellCheck={false}
      autoCapitalize="off"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface NewApplicationFormProps {
  readonly organizationId: number;
  readonly onMade: (application: ApplicationWithSecret) => void;
  readonly onCancel: () => void;
}

export function NewApplicationForm({ organizationId, onMade, onCancel }: NewApplicationFormProps) {
  const { t } = useTranslation('organization');
  const [name, setName] = useState('');
  const [kind, setKind] = useState('server');
  const [uris, setUris] = useState('');
  const [scopes, setScopes] = useState<readonly ApplicationScope[]>(['openid', 'sites:read_single']);
  const { submit, isPending, fields, error } = useSubmit(
    () =>
      cloud.organizations
        .applications(organizationId)
        .create({ name, browserOnly: kind === 'browser', redirectUris: redirectLines(uris), scopes }),
    { onDone: onMade },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('applications.name')}
          description={t('applications.nameHint')}
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('applications.kind')}
          description={kind === 'browser' ? t('applications.browserMeans') : t('applications.serverMeans')}
          value={kind}
          data={[
            { value: 'server', label: t('applications.server') },
            { value: 'browser', label: t('applications.browser') },
          ]}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        <RedirectField value={uris} error={fields.redirect_uris} onChange={setUris} />
        <ApplicationScopes value={scopes} error={fields.scopes} onChange={setScopes} />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('applications.make')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ApplicationScopesProps {
  readonly value: readonly ApplicationScope[];
  readonly error?: string | undefined;
  readonly onChange: (scopes: readonly ApplicationScope[]) => void;
}

/** What an application may ask for, which stays so for good. */
function ApplicationScopes({ value, error, onChange }: ApplicationScopesProps) {
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

export const APPLICATION_SCOPE_LABELS = {
  openid: 'applications.identity',
  'sites:read_single': 'applications.readSite',
} as const satisfies Record<ApplicationScope, string>;

const APPLICATION_SCOPES: readonly ApplicationScope[] = ['openid', 'sites:read_single'];
