import type { CreatedApiToken, Scope } from '@heliograph/client';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { withFreshSignIn } from '../second-factor/fresh-sign-in.ts';
import { cloud } from '../session/cloud.ts';
import { usePortalSession } from '../session/session.ts';
import { AccessChoice } from './access-choice.tsx';
import { type Expiry, expiryDate, PROPOSED_EXPIRY } from './expiry.ts';
import { ExpiryChoice } from './expiry-choice.tsx';
import { PRESET_SCOPES, type TokenPreset } from './token-presets.ts';

interface TokenFormProps {
  readonly onMade: (token: CreatedApiToken) => void;
  readonly onCancel: () => void;
}

const ANYWHERE = '';

export function TokenForm({ onMade, onCancel }: TokenFormProps) {
  const { t } = useTranslation('account');
  const { organizations } = usePortalSession();
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<TokenPreset>('read');
  const [scopes, setScopes] = useState<readonly Scope[]>(PRESET_SCOPES.read);
  const [expiry, setExpiry] = useState<Expiry>(PROPOSED_EXPIRY);
  const [date, setDate] = useState('');
  const [organization, setOrganization] = useState(ANYWHERE);
  const { submit, isPending, fields, error } = useSubmit(
    (expiresAt: Date | undefined) =>
      withFreshSignIn(() =>
        cloud.tokens.create({
          name,
          scopes,
          ...(organization !== ANYWHERE && { organizationId: Number(organization) }),
          ...(expiresAt && { expiresAt }),
        }),
      ),
    { onDone: onMade },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(expiryDate(expiry, date, Date.now()));
  };
  return (
    <form onSubmit={send} noValidate={false}>
      <Stack gap="lg">
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.nameHint')}
          required
          maxLength={100}
          maw="28rem"
          data-autofocus
          autoFocus
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <AccessChoice
          preset={preset}
          scopes={scopes}
          error={fields.scopes}
          onChange={(chosen, its) => {
            setPreset(chosen);
            setScopes(its);
          }}
        />
        <ExpiryChoice
          expiry={expiry}
          date={date}
          error={fields.expires_at}
          onExpiry={setExpiry}
          onDate={setDate}
        />
        {organizations.length > 0 && (
          <NativeSelect
            label={t('tokens.organization')}
            description={t('tokens.organizationHint')}
            maw="28rem"
            value={organization}
            error={fields.organization_id}
            data={[
              { value: ANYWHERE, label: t('tokens.everything') },
              ...organizations.map((one) => ({ value: `${one.id}`, label: one.name })),
            ]}
            onChange={(event) => setOrganization(event.currentTarget.value)}
          />
        )}
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('tokens.make')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
