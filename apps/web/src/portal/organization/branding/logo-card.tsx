import type { OwnOrganization } from '@heliograph/client';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { logoPath } from '../../brand/logo-path.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import classes from './branding.module.css';
import { showEverywhere } from './use-change.ts';

/** The picture on the organization's pages and mails. */
export function LogoCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, name } = organization;
  const logo = logoPath(organization);
  const { submit, isPending, fields, error } = useSubmit(async (file: File) => {
    await cloud.organizations.setLogo(id, file);
    await showEverywhere(id);
  });
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
      {fields.logo !== undefined && (
        <Text c="red" role="alert">
          {fields.logo}
        </Text>
      )}
      <FormError error={fields.logo === undefined ? error : undefined} />
      <Group gap="sm">
        <FileButton accept="image/svg+xml,image/png" onChange={(file) => file && submit(file)}>
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
            act={() => cloud.organizations.removeLogo(id)}
            onDone={() => void showEverywhere(id)}
          >
            {t('logo.removeText')}
          </ConfirmedButton>
        )}
      </Group>
    </Card>
  );
}
