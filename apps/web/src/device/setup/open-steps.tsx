import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { claimQuery } from '../claim/claim-query.ts';
import { configurationQuery } from '../configuration/configuration-query.ts';
import classes from './setup.module.css';
import { pathOf } from './steps.ts';

/** Where this browser keeps that somebody wants no account for the device, or not yet. */
const LATER = 'heliograph_claim_later';

/** Reminds of what a new device still needs; nothing is said where that cannot be asked. */
export function OpenSteps() {
  const { t } = useTranslation('device');
  const { data: configuration } = useQuery(configurationQuery);
  const { data: claim } = useQuery(claimQuery);
  const [isLater, setLater] = useState(() => localStorage.getItem(LATER) !== null);
  if (configuration?.connections.length === 0) {
    return (
      <section className={classes.open} aria-label={t('setup.title')}>
        <Text>{t('setup.noHardware')}</Text>
        <Button component={Link} href={pathOf('hardware')}>
          {t('setup.goOn')}
        </Button>
      </section>
    );
  }
  if (isLater || claim?.state !== 'unclaimed') return null;
  const hide = (): void => {
    localStorage.setItem(LATER, 'yes');
    setLater(true);
  };
  return (
    <section className={classes.open} aria-label={t('setup.claim')}>
      <Text>{t('setup.noAccount')}</Text>
      <Group gap="sm">
        <Button component={Link} href="/claim">
          {t('setup.toClaim')}
        </Button>
        <Button variant="subtle" onClick={hide}>
          {t('setup.later')}
        </Button>
      </Group>
    </section>
  );
}
