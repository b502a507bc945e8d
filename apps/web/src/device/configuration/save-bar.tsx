import { Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import classes from './save-bar.module.css';
import type { SavePhase } from './use-save-configuration.ts';

interface SaveBarProps {
  readonly phase: SavePhase;
  readonly isPending: boolean;
  /** A failure that belongs to no input. */
  readonly error: unknown;
  readonly isDisabled?: boolean;
  /** The label of the button where it does more than save. */
  readonly label?: string;
  /** Other buttons, behind the one that saves. */
  readonly children?: ReactNode;
}

/** The foot of a form of the configuration: saves it, and shows the outcome. */
export function SaveBar({ phase, isPending, error, isDisabled = false, label, children }: SaveBarProps) {
  const { t } = useTranslation('configuration');
  const labels: Partial<Record<SavePhase, string>> = {
    starting: t('save.starting'),
    in_effect: t('save.inEffect'),
    taken_back: t('save.takenBack'),
    away: t('save.away'),
  };
  return (
    <div className={classes.bar}>
      <FormError error={error} />
      <Group gap="sm">
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {label ?? t('save.save')}
        </Button>
        {children}
      </Group>
      <div className={classes.status} role="status">
        {phase === 'starting' && <Loader size="xs" />}
        {labels[phase] !== undefined && (
          <Text size="sm" {...(isBad(phase) && { c: 'var(--hg-danger)' })}>
            {labels[phase]}
          </Text>
        )}
      </div>
    </div>
  );
}

const isBad = (phase: SavePhase): boolean => phase === 'taken_back' || phase === 'away';
