import { ApiError, ConnectionError } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../shared/components/card/card.tsx';
import { CopyButton } from '../shared/components/copy/copy-button.tsx';
import { OnceShownSecret } from '../shared/components/copy/secret.tsx';
import { ConfirmDialog } from '../shared/components/dialog/confirm-dialog.tsx';
import { SearchField } from '../shared/components/form/search-field.tsx';
import { Empty } from '../shared/components/states/empty.tsx';
import { Failure } from '../shared/components/states/failure.tsx';
import { Loading } from '../shared/components/states/loading.tsx';
import { StateBadge } from '../shared/components/status/state-badge.tsx';
import { switchLocale } from '../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../shared/preferences/language-switch.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const STATUSES = [401, 403, 404, 422, 429, 500, 503];

export function StatesSection() {
  return (
    <Specimens>
      <Specimen state="on its way">
        <Loading />
      </Specimen>
      <Specimen state="empty">
        <Empty title="There are no sites yet.">Add the first device to see what the sun does.</Empty>
      </Specimen>
      <Specimen state="no answer">
        <Failure
          error={new ConnectionError('http://cloud', 'no answer', undefined)}
          onRetry={() => undefined}
        />
      </Specimen>
      {STATUSES.map((status) => (
        <Specimen key={status} state={`refused with ${status}`}>
          <Failure
            error={new ApiError('http://cloud', status, 'The service says why, in its own words.', {})}
          />
        </Specimen>
      ))}
    </Specimens>
  );
}

export function PartsSection() {
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<'primary' | 'danger' | 'pending'>();
  return (
    <Specimens>
      <Specimen state="card with an action">
        <Card
          title="A card with a heading that is a good deal longer than usual"
          action={<Button>Add</Button>}
        >
          Its content.
        </Card>
      </Specimen>
      <Specimen state="online">
        <StateBadge state="online" />
      </Specimen>
      <Specimen state="live">
        <StateBadge state="online" isLive />
      </Specimen>
      <Specimen state="hardware silent">
        <StateBadge state="hardware_silent" />
      </Specimen>
      <Specimen state="offline">
        <StateBadge state="offline" lastSeenAt="2026-06-21T10:31:00Z" />
      </Specimen>
      <Specimen state="never seen">
        <StateBadge state="never_seen" />
      </Specimen>
      <Specimen state="copy">
        <CopyButton text="total/pv_power" label="Copy the topic" />
      </Specimen>
      <Specimen state="a secret that is shown once">
        <OnceShownSecret label="Token" secret="hga_0123456789abcdefghijklmnopqrstuvwxyz0123456789" />
      </Specimen>
      <Specimen state="search">
        <SearchField label="Search" value={search} onChange={setSearch} />
      </Specimen>
      <Specimen state="language">
        <LanguageSwitch onChange={switchLocale} />
      </Specimen>
      <Specimen state="dialogs">
        {(['primary', 'danger', 'pending'] as const).map((kind) => (
          <Button key={kind} variant="default" m={4} onClick={() => setDialog(kind)}>
            {kind}
          </Button>
        ))}
        <ConfirmDialog
          opened={dialog !== undefined}
          title="Change a setting?"
          confirmLabel="Change it"
          tone={dialog === 'danger' ? 'danger' : 'primary'}
          isPending={dialog === 'pending'}
          onConfirm={() => setDialog(undefined)}
          onCancel={() => setDialog(undefined)}
        >
          The battery reserve changes from 20 % to 35 %, at once.
        </ConfirmDialog>
      </Specimen>
    </Specimens>
  );
}
