import type { ConnectionSettings, DriverDescription, HardwareLink } from '@heliograph/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../shared/components/dialog/confirm-dialog.tsx';
import { linksQuery } from '../../links/links-query.ts';
import { useUnitLabel } from '../../links/use-unit-label.ts';
import { ConnectionFields } from './connection-fields.tsx';
import classes from './connection-row.module.css';
import type { DraftConnection } from './draft.ts';
import { fieldsAt } from './edits.ts';
import type { ConnectionDraft } from './use-connection-draft.ts';

/** The connections in their order, each with what can be done with it. */
export function ConnectionList({ drafts, drivers, ports, save, ...draft }: ConnectionDraft) {
  const { t } = useTranslation('configuration');
  const { data: links } = useQuery(linksQuery);
  const [leaving, setLeaving] = useState<DraftConnection>();
  const titleOf = (name: string): string => drivers.find((driver) => driver.name === name)?.title ?? name;
  return (
    <>
      <ul className={classes.list}>
        {drafts.map(({ key, connection }, at) => {
          const fields = fieldsAt(save.fields, at);
          return (
            <ConnectionRow
              key={key}
              connection={connection}
              place={at + 1}
              count={drafts.length}
              driver={drivers.find(({ name }) => name === connection.driver)}
              link={links?.connections.find((link) => isBehind(link, connection))}
              isOpen={draft.openKey === key || Object.keys(fields).length > 0}
              onToggle={() => draft.toggle(key)}
              onMove={(by) => draft.move(key, by)}
              onRemove={() => setLeaving({ key, connection })}
            >
              <ConnectionFields
                connection={connection}
                drivers={drivers}
                ports={ports}
                fields={fields}
                onChange={(changed) => draft.change(key, changed)}
              />
            </ConnectionRow>
          );
        })}
      </ul>
      {save.fields.connections !== undefined && (
        <Text role="alert" c="var(--hg-danger)">
          {save.fields.connections}
        </Text>
      )}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t('connections.removeTitle', { name: titleOf(leaving?.connection.driver ?? '') })}
        confirmLabel={t('connections.removeConfirm')}
        tone="danger"
        onCancel={() => setLeaving(undefined)}
        onConfirm={() => {
          if (leaving !== undefined) draft.remove(leaving.key);
          setLeaving(undefined);
        }}
      >
        <Stack gap="sm">
          <Text>{t('connections.removeEnds')}</Text>
          <Text>{t('connections.removeNumbers')}</Text>
          <Text>{t('connections.removeSave')}</Text>
        </Stack>
      </ConfirmDialog>
    </>
  );
}

interface ConnectionRowProps {
  readonly connection: ConnectionSettings;
  /** From 1. */
  readonly place: number;
  readonly count: number;
  readonly driver: DriverDescription | undefined;
  /** The hardware behind it, once the device uses it. */
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
function ConnectionRow(props: ConnectionRowProps) {
  const { connection, place, count, driver, link, isOpen, onToggle, onMove, onRemove, children } = props;
  const { t } = useTranslation('configuration');
  const unitLabel = useUnitLabel();
  const fields = useId();
  const title = driver?.title ?? connection.driver;
  const units = link?.units.map((unit) => [unitLabel(unit), unit.model].filter(Boolean).join(': '));
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

function isBehind({ driver, bus, unit }: HardwareLink, connection: ConnectionSettings): boolean {
  return driver === connection.driver && bus === connection.bus && unit === connection.unit;
}
