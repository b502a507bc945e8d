import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './setup.module.css';
import { pathOf } from './steps.ts';

/** The device has nothing to read. */
export function HardwareReminder() {
  const { t } = useTranslation('configuration');
  return (
    <section className={classes.open} aria-label={t('setup.title')}>
      <Text>{t('setup.noHardware')}</Text>
      <Button component={Link} href={pathOf('hardware')}>
        {t('setup.goOn')}
      </Button>
    </section>
  );
}

/** The device can be reached at home only. @param onLater hides the reminder in this browser */
export function AccountReminder({ onLater }: { readonly onLater: () => void }) {
  const { t } = useTranslation('configuration');
  return (
    <section className={classes.open} aria-label={t('setup.claim')}>
      <Text>{t('setup.noAccount')}</Text>
      <Group gap="sm">
        <Button component={Link} href="/claim">
          {t('setup.toClaim')}
        </Button>
        <Button variant="subtle" onClick={onLater}>
          {t('setup.later')}
        </Button>
      </Group>
    </section>
  );
}
