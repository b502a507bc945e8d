import type { OwnOrganization } from '@heliograph/client';
import { Alert, Button, FileButton, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { logoPath } from '../../brand/logo-path.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import { refreshOrganization } from '../use-change-organization.ts';
import classes from './branding.module.css';

/** The service's limit, in bytes. */
const LIMIT = 256 * 1024;

/** The picture on the organization's pages and mails. */
export function LogoCard({ organization }: { readonly organization: OwnOrganization }) {
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
