import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useUnsentInput } from '../../../shared/browser/unsent-input.ts';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { SaveBar } from '../save-bar.tsx';
import { ConnectionList } from './connection-list.tsx';
import { useConnectionDraft } from './use-connection-draft.ts';

/** The connected hardware, its addresses, and the order in which it is numbered. */
export function ConnectionsCard() {
  const { t } = useTranslation('configuration');
  const draft = useConnectionDraft();
  const { drafts, isChanged, save, addBlank, discard } = draft;
  useUnsentInput(isChanged);
  return (
    <Card
      title={t('connections.title')}
      action={
        <Anchor component={Link} href="/probe">
          {t('connections.find')}
        </Anchor>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.submit({ connections: drafts.map(({ connection }) => connection) });
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('connections.why')}
          </Text>
          {drafts.length === 0 ? (
            <Empty title={t('connections.none')}>{t('connections.noneHint')}</Empty>
          ) : (
            <ConnectionList {...draft} />
          )}
          <Group>
            <Button variant="default" onClick={addBlank}>
              {t('connections.add')}
            </Button>
          </Group>
          {isChanged && <Text size="sm">{t('connections.unsaved')}</Text>}
          {(isChanged || save.phase !== 'idle') && (
            <SaveBar {...save} isDisabled={!isChanged}>
              {isChanged && (
                <Button variant="subtle" disabled={save.isPending} onClick={discard}>
                  {t('connections.discard')}
                </Button>
              )}
            </SaveBar>
          )}
        </Stack>
      </form>
    </Card>
  );
}
