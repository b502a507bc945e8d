import type { OwnOrganization } from '@heliograph/client';
import { LANGUAGE_NAMES, LOCALES, type Locale, tagOf } from '@heliograph/contracts/locales';
import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { logoPath } from '../../brand/logo-path.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ROLE_LABELS } from '../../ui/organization-roles.ts';
import { OrganizationPage } from '../organization/organization-page.tsx';
import { SaveRow } from '../organization/save-row.tsx';
import { refreshOrganization, useChangeOrganization } from '../organization/use-change-organization.ts';
import classes from './branding.module.css';
import { ClosingCard } from './closing-card.tsx';
import { ColorsCard } from './colors-card.tsx';

/** The service's limit, in bytes. */
const LIMIT = 256 * 1024;

/** The picture on the organization's pages and mails. */
function LogoCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, name } = organization;
  const logo = logoPath(organization);
  const [isTooLarge, setTooLarge] = useState(false);
  const { submit, isPending, fields, error } = useSubmit(async (file: File) => {
    await cloud.setOrganizationLogo({ id, file });
    await refreshOrganization(id);
  });
  const choose = (file: File | null): void => {
    if (file === null) return;
    setTooLarge(file.size > LIMIT);
    if (file.size <= LIMIT) submit(file);
  };
  const isRefused = fields.logo !== undefined;
  return (
    <Card title={t('logo.title')}>
      <div className={classes.logos}>
        {logo === null ? (
          <Text c="dimmed">{t('logo.none')}</Text>
        ) : (
          <>
            <div className={classes.logoOnLight}>
              <img className={classes.logo} src={logo} alt={t('logo.onLight', { name })} />
            </div>
            <div className={classes.logoOnDark}>
              <img className={classes.logo} src={logo} alt={t('logo.onDark', { name })} />
            </div>
          </>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {t('logo.hint')}
      </Text>
      {(isTooLarge || isRefused) && (
        <Alert color="red" variant="light" role="alert">
          {isTooLarge ? t('logo.tooLarge') : t('logo.refused')}
        </Alert>
      )}
      {!isTooLarge && !isRefused && <FormError error={error} />}
      <Group gap="sm">
        <FileButton accept="image/svg+xml,image/png" onChange={choose}>
          {(props) => (
            <Button {...props} variant="default" loading={isPending}>
              {logo === null ? t('logo.upload') : t('logo.replace')}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <ConfirmedButton
            label={t('logo.remove')}
            title={t('logo.removeTitle')}
            act={() => cloud.removeOrganizationLogo({ id })}
            onDone={() => void refreshOrganization(id)}
          >
            {t('logo.removeText')}
          </ConfirmedButton>
        )}
      </Group>
    </Card>
  );
}

/** How an organization shows itself to its customers. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('branding.title')}>
      {(organization, { isManager, isOwner }) =>
        isManager ? (
          <>
            <IdentityCard organization={organization} />
            <LogoCard organization={organization} />
            <ColorsCard organization={organization} />
            {isOwner && <ClosingCard organization={organization} />}
          </>
        ) : (
          <BrandFacts organization={organization} />
        )
      }
    </OrganizationPage>
  );
}

/** For those who look and do not change. */
function BrandFacts({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { name, cloud_host: host, role } = organization;
  const facts = [
    { name: t('branding.name'), value: name },
    { name: t('branding.host'), value: host ?? t('branding.noHost') },
    ...(role === null ? [] : [{ name: t('branding.role'), value: t(ROLE_LABELS[role]) }]),
  ];
  return (
    <Card title={t('branding.title')}>
      <Facts facts={facts} />
      <Text size="sm" c="dimmed">
        {t('branding.readOnly')}
      </Text>
    </Card>
  );
}

interface TypedIdentity {
  readonly name?: string;
  readonly host?: string;
  readonly locale?: Locale | null;
}

const INVITERS_LANGUAGE = '';

/** Its name, where its pages are, and the language of its invitations. */
function IdentityCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, cloud_host: savedHost, cloud_host_vetted: isVetted } = organization;
  // Only changed fields are sent: another person may be changing the others.
  const [typed, setTyped] = useState<TypedIdentity>({});
  const { name = organization.name, host = savedHost ?? '', locale = organization.locale } = typed;
  const { submit, isPending, isSaved, fields, error } = useChangeOrganization(id, () => setTyped({}));
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const written = host.trim() === '' ? null : host.trim();
    submit({
      ...(typed.name !== undefined && { name }),
      ...(typed.host !== undefined && { cloud_host: written }),
      ...(typed.locale !== undefined && { locale: typed.locale }),
    });
  };
  return (
    <Card title={t('branding.identity')}>
      <form onSubmit={send}>
        <Stack gap="md" maw="32rem">
          <TextInput
            label={t('branding.name')}
            required
            maxLength={255}
            value={name}
            error={fields.name}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
          />
          <TextInput
            label={t('branding.host')}
            description={
              savedHost !== null && !isVetted ? t('branding.hostUnvetted') : t('branding.hostHint')
            }
            placeholder="solar.example.com"
            inputMode="url"
            autoCapitalize="off"
            spellCheck={false}
            value={host}
            error={fields.cloud_host}
            onChange={(event) => setTyped({ ...typed, host: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('branding.language')}
            description={t('branding.languageHint')}
            value={locale ?? INVITERS_LANGUAGE}
            onChange={({ currentTarget: { value } }) =>
              setTyped({ ...typed, locale: LOCALES.find((known) => known === value) ?? null })
            }
          >
            <option value={INVITERS_LANGUAGE}>{t('branding.inviterLanguage')}</option>
            {LOCALES.map((known) => (
              <option key={known} value={known} lang={tagOf(known)}>
                {LANGUAGE_NAMES[known]}
              </option>
            ))}
          </NativeSelect>
          <FormError error={error} />
          <SaveRow isPending={isPending} isSaved={isSaved} />
        </Stack>
      </form>
    </Card>
  );
}
