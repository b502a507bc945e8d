import '@mantine/core/styles/Radio.css';
import type { CreatedApiToken, Scope } from '@heliograph/client';
import { Button, Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { SCOPE_GROUPS, SCOPE_LABELS } from '../parts/scope-labels.ts';
import { withFreshSignIn } from '../second-factor/fresh-sign-in.ts';
import { cloud } from '../session/cloud.ts';
import { usePortalSession } from '../session/session.ts';
import { EXPIRIES, type Expiry, expiryDate, PROPOSED_EXPIRY } from './expiry.ts';
import classes from './token-form.module.css';

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

interface AccessChoiceProps {
  readonly preset: TokenPreset;
  readonly scopes: readonly Scope[];
  readonly error?: string | undefined;
  readonly onChange: (preset: TokenPreset, scopes: readonly Scope[]) => void;
}

const PRESET_LABELS = {
  read: { label: 'tokenPresets.read', hint: 'tokenPresets.readHint' },
  settings: { label: 'tokenPresets.settings', hint: 'tokenPresets.settingsHint' },
  custom: { label: 'tokenPresets.custom', hint: undefined },
} as const satisfies Record<TokenPreset, object>;

/** What a token may do: one of two presets, or each scope by itself. */
function AccessChoice({ preset, scopes, error, onChange }: AccessChoiceProps) {
  const { t } = useTranslation('account');
  const choose = (value: string): void => {
    const chosen = TOKEN_PRESETS.find((one) => one === value) ?? 'custom';
    onChange(chosen, chosen === 'custom' ? scopes : PRESET_SCOPES[chosen]);
  };
  return (
    <>
      <Radio.Group size="md" label={t('tokens.access')} value={preset} onChange={choose}>
        <Stack gap="sm" pt="xs">
          {TOKEN_PRESETS.map((value) => {
            const { label, hint } = PRESET_LABELS[value];
            return (
              <Radio
                key={value}
                size="md"
                color="var(--hg-primary)"
                iconColor="var(--hg-on-primary)"
                value={value}
                label={t(label)}
                description={hint && t(hint)}
              />
            );
          })}
        </Stack>
      </Radio.Group>
      {preset === 'custom' && (
        <ScopeChoice value={scopes} error={error} onChange={(chosen) => onChange('custom', chosen)} />
      )}
    </>
  );
}

interface ScopeChoiceProps {
  readonly value: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly error?: string | undefined;
}

/** What a token may do, a box for each. */
function ScopeChoice({ value, onChange, error }: ScopeChoiceProps) {
  const { t } = useTranslation('account');
  const toggle = (scope: Scope): void =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope]);
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{t('tokens.scopes')}</legend>
      {error !== undefined && <p className={classes.error}>{error}</p>}
      <div className={classes.groups}>
        {SCOPE_GROUPS.map(({ title, scopes }) => (
          <fieldset key={title} className={classes.group}>
            <legend className={classes.title}>{t(title)}</legend>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={t(SCOPE_LABELS[scope])}
                description={<code>{scope}</code>}
                checked={value.includes(scope)}
                aria-invalid={error === undefined ? undefined : true}
                onChange={() => toggle(scope)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

/** What most tokens are for; `custom` leaves each scope to its user. */
const TOKEN_PRESETS = ['read', 'settings', 'custom'] as const;
type TokenPreset = (typeof TOKEN_PRESETS)[number];

const PRESET_SCOPES: Readonly<Record<Exclude<TokenPreset, 'custom'>, readonly Scope[]>> = {
  read: ['sites:read_all'],
  settings: ['sites:read_all', 'sites:write_all'],
};

interface ExpiryChoiceProps {
  readonly expiry: Expiry;
  /** `2026-12-31`, where a date is chosen. */
  readonly date: string;
  readonly error?: string | undefined;
  readonly onExpiry: (expiry: Expiry) => void;
  readonly onDate: (date: string) => void;
}

const EXPIRY_LABELS = {
  never: 'expiry.never',
  '30': 'expiry.month',
  '90': 'expiry.quarter',
  '365': 'expiry.year',
  date: 'expiry.date',
} as const satisfies Record<Expiry, string>;

function ExpiryChoice({ expiry, date, error, onExpiry, onDate }: ExpiryChoiceProps) {
  const { t } = useTranslation('account');
  return (
    <Group gap="md" align="flex-start">
      <NativeSelect
        label={t('expiry.label')}
        description={expiry === 'never' ? undefined : t('expiry.hint')}
        miw="14rem"
        value={expiry}
        error={expiry === 'date' ? undefined : error}
        data={EXPIRIES.map((value) => ({ value, label: t(EXPIRY_LABELS[value]) }))}
        onChange={(event) => onExpiry(EXPIRIES.find((one) => one === event.currentTarget.value) ?? 'never')}
      />
      {expiry === 'date' && (
        <TextInput
          type="date"
          label={t('expiry.lastDay')}
          required
          value={date}
          error={error}
          onChange={(event) => onDate(event.currentTarget.value)}
        />
      )}
    </Group>
  );
}
