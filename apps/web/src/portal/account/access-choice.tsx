import { Radio, Stack } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import type { Scope } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ScopeChoice } from './scope-choice.tsx';
import { PRESET_SCOPES, TOKEN_PRESETS, type TokenPreset } from './token-presets.ts';

interface AccessChoiceProps {
  readonly preset: TokenPreset;
  readonly scopes: readonly Scope[];
  readonly error?: string | undefined;
  readonly onChange: (preset: TokenPreset, scopes: readonly Scope[]) => void;
}

const TEXTS = {
  read: { label: 'tokenPresets.read', hint: 'tokenPresets.readHint' },
  settings: { label: 'tokenPresets.settings', hint: 'tokenPresets.settingsHint' },
  custom: { label: 'tokenPresets.custom', hint: undefined },
} as const satisfies Record<TokenPreset, object>;

/** What a token may do: one of two presets, or each scope by itself. */
export function AccessChoice({ preset, scopes, error, onChange }: AccessChoiceProps) {
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
            const { label, hint } = TEXTS[value];
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
