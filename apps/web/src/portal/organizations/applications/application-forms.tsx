import type { Application, ApplicationScope, ApplicationWithSecret } from '@heliograph/client';
import { Checkbox, NativeSelect, Stack, Text, Textarea, type TextareaProps, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
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
  const form = useApiForm({
    initialValues: { name: application.name, redirectUris: application.redirect_uris.join('\n') },
    send: ({ name, redirectUris }) =>
      withFreshSignIn(() =>
        cloud.updateApplication({
          id: organizationId,
          client_id: application.client_id,
          name,
          redirect_uris: redirectLines(redirectUris),
        }),
      ),
    onDone: () => {
      onChanged();
      onClose();
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('applications.name')}
          required
          autoFocus
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <RedirectField {...form.getInputProps('redirectUris')} />
        <FormFooter form={form} submitLabel={t('branding.save')} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** The addresses that users may be sent back to, one a line. */
function RedirectField(input: TextareaProps) {
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
      {...input}
    />
  );
}

interface NewApplicationFormProps {
  readonly organizationId: number;
  readonly onCreated: (application: ApplicationWithSecret) => void;
  readonly onCancel: () => void;
}

export function NewApplicationForm({ organizationId, onCreated, onCancel }: NewApplicationFormProps) {
  const { t } = useTranslation('organization');
  const form = useApiForm({
    initialValues: {
      name: '',
      kind: 'server',
      redirectUris: '',
      scopes: APPLICATION_SCOPES,
    },
    send: ({ name, kind, redirectUris, scopes }) =>
      withFreshSignIn(() =>
        cloud.createApplication({
          id: organizationId,
          name,
          browser_only: kind === 'browser',
          redirect_uris: redirectLines(redirectUris),
          scopes,
        }),
      ),
    onDone: onCreated,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('applications.name')}
          description={t('applications.nameHint')}
          required
          autoFocus
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label={t('applications.kind')}
          description={
            form.values.kind === 'browser' ? t('applications.browserMeans') : t('applications.serverMeans')
          }
          data={[
            { value: 'server', label: t('applications.server') },
            { value: 'browser', label: t('applications.browser') },
          ]}
          {...form.getInputProps('kind')}
        />
        <RedirectField {...form.getInputProps('redirectUris')} />
        <ApplicationScopes value={form.values.scopes} {...form.getInputProps('scopes')} />
        <FormFooter form={form} submitLabel={t('applications.make')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface ApplicationScopesProps {
  readonly value: readonly ApplicationScope[];
  readonly error?: ReactNode;
  readonly onChange: (scopes: readonly ApplicationScope[]) => void;
}

/** The scopes that an application may request; they never change. */
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
