import type { ConnectionSettings } from '@heliograph/client';
import { useState } from 'react';
import { useConfiguration } from '../configuration-query.ts';
import { useSaveConfiguration } from '../use-save-configuration.ts';
import {
  type DraftConnection,
  draftOf,
  isSame,
  withAdded,
  withChanged,
  withMoved,
  without,
} from './draft.ts';
import { blankConnection } from './edits.ts';

/** The connections as they are to be, until they are saved. */
export function useConnectionDraft() {
  const { connections, drivers, ports } = useConfiguration();
  const [drafts, setDrafts] = useState<readonly DraftConnection[]>(() => draftOf(connections));
  const [openKey, setOpenKey] = useState<number>();
  const save = useSaveConfiguration({
    onInEffect(configuration) {
      setDrafts(draftOf(configuration.connections));
      setOpenKey(undefined);
    },
  });
  return {
    drafts,
    drivers,
    ports,
    save,
    isChanged: !isSame(drafts, connections),
    /** Which one shows its inputs. */
    openKey,
    toggle: (key: number) => setOpenKey(openKey === key ? undefined : key),
    addBlank() {
      const more = withAdded(drafts, blankConnection(drivers, ports));
      setDrafts(more);
      setOpenKey(more.at(-1)?.key);
    },
    change: (key: number, connection: ConnectionSettings) => setDrafts(withChanged(drafts, key, connection)),
    move: (key: number, by: -1 | 1) => setDrafts(withMoved(drafts, key, by)),
    remove: (key: number) => setDrafts(without(drafts, key)),
    discard() {
      setDrafts(draftOf(connections));
      setOpenKey(undefined);
    },
  };
}

export type ConnectionDraft = ReturnType<typeof useConnectionDraft>;
