import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeviceSession } from '../session/session.ts';
import classes from './of-household.module.css';

interface OfHouseholdProps {
  /** While support may change them, too. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Inputs that only the household changes: support sees their values, and the device would refuse its change. */
export function OfHousehold({ isOpen = false, children }: OfHouseholdProps) {
  const { t } = useTranslation('configuration');
  const { recovery } = useDeviceSession();
  if (recovery === null) return children;
  return (
    <fieldset disabled={!isOpen} className={classes.inputs}>
      {!isOpen && (
        <Text size="sm" c="dimmed" mb="sm">
          {t('support.ofHousehold')}
        </Text>
      )}
      {children}
    </fieldset>
  );
}
