import type { ConnectionSettings, HardwareLink } from '@heliograph/client';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../shared/components/dialog/confirm-dialog.tsx';
import { linksQuery } from '../../links/links-query.ts';
import { ConnectionFields } from './connection-fields.tsx';
import classes from './connection-row.module.css';
import { ConnectionRow } from './connection-row.tsx';
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

function isBehind({ driver, bus, unit }: HardwareLink, connection: ConnectionSettings): boolean {
  return driver === connection.driver && bus === connection.bus && unit === connection.unit;
}
