import type { CreatedApiToken, Scope } from '@heliograph/client';
import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { SCOPE_GROUPS, SCOPE_LABELS } from '../../access/scope-labels.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { usePortalSession } from '../../session/session.ts';
import { EXPIRIES, type Expiry, expiryDate, PROPOSED_EXPIRY } from './expiry.ts';
import classes from './token-form.module.css';

interface TokenFormProps {
  readonly onCreated: (token: CreatedApiToken) => void;
  readonly onCancel: () => void;
}

const ANY_ORGANIZATION = '';

interface TokenValues {
  readonly name: string;
  readonly preset: TokenPreset;
  readonly scopes: readonly Scope[];
  readonly expiry: Expiry;
  /** `2026-12-31`, where the expiry is a date. */
  readonly expiresAt: string;
  readonly organizationId: string;
}

export function TokenForm({ onCreated, onCancel }: TokenFormProps) {
  const { t } = useTranslation('account');
  const { organizations } = usePortalSession();
  const form = useApiForm<TokenValues, CreatedApiToken>({
    initialValues: {
      name: '',
      preset: 'read',
      scopes: PRESET_SCOPES.read,
      expiry: PROPOSED_EXPIRY,
      expiresAt: '',
      organizationId: ANY_ORGANIZATION,
    },
    send: ({ name, scopes, expiry, expiresAt, organizationId }) => {
      const end = expiryDate(expiry, expiresAt, Date.now());
      return withFreshSignIn(() =>
        cloud.createToken({
          name,
          scopes,
          organization_id: organizationId === ANY_ORGANIZATION ? undefined : Number(organizationId),
          expires_at: end?.toISOString(),
        }),
      );
    },
    onDone: onCreated,
  });
  const { preset, scopes, expiry } = form.values;
  return (
    <form onSubmit={form.submit} noValidate={false}>
      <Stack gap="lg">
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.nameHint')}
          required
          maxLength={100}
          maw="28rem"
          data-autofocus
          autoFocus
          {...form.getInputProps('name')}
        />
        <AccessChoice
          preset={preset}
          scopes={scopes}
          error={form.errors.scopes}
          onChange={(next) => form.setValues(next)}
        />
        <ExpiryChoice
          expiry={expiry}
          error={form.errors.expiresAt}
          onExpiry={(next) => form.setFieldValue('expiry', next)}
          dateProps={form.getInputProps('expiresAt')}
        />
        {organizations.length > 0 && (
          <NativeSelect
            label={t('tokens.organization')}
            description={t('tokens.organizationHint')}
            maw="28rem"
            data={[
              { value: ANY_ORGANIZATION, label: t('tokens.everything') },
              ...organizations.map((one) => ({ value: `${one.id}`, label: one.name })),
            ]}
            {...form.getInputProps('organizationId')}
          />
        )}
        <FormFooter form={form} submitLabel={t('tokens.make')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface AccessChoiceProps {
  readonly preset: TokenPreset;
  readonly scopes: readonly Scope[];
  readonly error: ReactNode;
  readonly onChange: (access: Pick<TokenValues, 'preset' | 'scopes'>) => void;
}

const PRESET_LABELS = {
  read: { label: 'tokenPresets.read', hint: 'tokenPresets.readHint' },
  settings: { label: 'tokenPresets.settings', hint: 'tokenPresets.settingsHint' },
  custom: { label: 'tokenPresets.custom', hint: undefined },
} as const satisfies Record<TokenPreset, object>;

/** The scopes of a token: one of two presets, or each by itself. */
function AccessChoice({ preset, scopes, error, onChange }: AccessChoiceProps) {
  const { t } = useTranslation('account');
  const choose = (value: string): void => {
    const chosen = TOKEN_PRESETS.find((one) => one === value) ?? 'custom';
    onChange({ preset: chosen, scopes: chosen === 'custom' ? scopes : PRESET_SCOPES[chosen] });
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
        <ScopeChoice
          value={scopes}
          error={error}
          onChange={(chosen) => onChange({ preset, scopes: chosen })}
        />
      )}
    </>
  );
}

interface ScopeChoiceProps {
  readonly value: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly error: ReactNode;
}

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

/** `custom` offers each scope by itself. */
const TOKEN_PRESETS = ['read', 'settings', 'custom'] as const;
type TokenPreset = (typeof TOKEN_PRESETS)[number];

const PRESET_SCOPES: Readonly<Record<Exclude<TokenPreset, 'custom'>, readonly Scope[]>> = {
  read: ['sites:read_all'],
  settings: ['sites:read_all', 'sites:write_all'],
};

interface ExpiryChoiceProps {
  readonly expiry: Expiry;
  readonly error: ReactNode;
  readonly onExpiry: (expiry: Expiry) => void;
  readonly dateProps: TextInputProps;
}

const EXPIRY_LABELS = {
  never: 'expiry.never',
  '30': 'expiry.month',
  '90': 'expiry.quarter',
  '365': 'expiry.year',
  date: 'expiry.date',
} as const satisfies Record<Expiry, string>;

function ExpiryChoice({ expiry, error, onExpiry, dateProps }: ExpiryChoiceProps) {
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
      {expiry === 'date' && <TextInput type="date" label={t('expiry.lastDay')} required {...dateProps} />}
    </Group>
  );
}
