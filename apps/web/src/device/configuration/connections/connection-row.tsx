import type { ConnectionSettings, DriverDescription, HardwareLink } from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnitLabel } from '../../links/use-unit-words.ts';
import classes from './connection-row.module.css';

interface ConnectionRowProps {
  readonly connection: ConnectionSettings;
  /** From 1. */
  readonly place: number;
  readonly count: number;
  readonly driver: DriverDescription | undefined;
  /** What is behind it, where the device uses it already. */
  readonly link: HardwareLink | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  /** Its inputs, shown while it is open. */
  readonly children: ReactNode;
}

/** Small beside each other on a phone, and high enough for a thumb. */
const SMALL = { variant: 'subtle', px: 'sm', mih: 44 } as const;

/** One connection to hardware, in its place. */
export function ConnectionRow(props: ConnectionRowProps) {
  const { connection, place, count, driver, link, isOpen, onToggle, onMove, onRemove, children } = props;
  const { t } = useTranslation('configuration');
  const unitWords = useUnitLabel();
  const fields = useId();
  const title = driver?.title ?? connection.driver;
  const units = link?.units.map((unit) => [unitWords(unit), unit.model].filter(Boolean).join(': '));
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" className={classes.address}>
          {connection.bus}
          {connection.unit !== null && ` · ${t('connections.unitIs', { unit: connection.unit })}`}
        </Text>
        {units !== undefined && units.length > 0 && <Text size="sm">{units.join(' · ')}</Text>}
      </div>
      <Group gap={4}>
        {count > 1 && (
          <>
            <Button
              {...SMALL}
              aria-label={t('connections.moveUp', { name: title })}
              disabled={place === 1}
              onClick={() => onMove(-1)}
            >
              ↑
            </Button>
            <Button
              {...SMALL}
              aria-label={t('connections.moveDown', { name: title })}
              disabled={place === count}
              onClick={() => onMove(1)}
            >
              ↓
            </Button>
          </>
        )}
        <Button {...SMALL} aria-expanded={isOpen} aria-controls={fields} onClick={onToggle}>
          {isOpen ? t('connections.close') : t('connections.edit')}
        </Button>
        <Button {...SMALL} color="red" onClick={onRemove}>
          {t('connections.remove')}
        </Button>
      </Group>
      <div id={fields} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  );
}
