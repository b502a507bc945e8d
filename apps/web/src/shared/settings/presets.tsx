import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { settingPresets } from '@heliograph/metrics';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLiveValue } from '../live/live-context.tsx';
import { ruleOf } from './control-rule.ts';
import { isOn } from './drafts.ts';
import classes from './presets.module.css';

/** A value that a preset gives to a setting, as its control has it. */
export interface PresetDraft {
  readonly definition: MetricDefinition;
  readonly text: string;
}

interface PresetsProps {
  readonly definitions: readonly MetricDefinition[];
  readonly isDisabled: boolean;
  /** The preset becomes drafts, which are reviewed like any other. */
  readonly onPreset: (drafts: readonly PresetDraft[]) => void;
}

/** The presets of a unit; a press leads to the review of what they set. */
export function Presets({ definitions, isDisabled, onPreset }: PresetsProps) {
  const { t } = useTranslation('settings');
  const writable = definitions.filter((definition) => ruleOf(definition) !== null);
  const presets = settingPresets(
    writable.map(({ name, options, platform }) => ({ name, options, isSwitch: platform === 'switch' })),
  );
  if (presets.length === 0) return null;
  return (
    <fieldset className={classes.presets}>
      <legend>{t('presets.title')}</legend>
      {presets.map(({ preset, values }) => (
        <Preset
          key={preset}
          label={t(`presets.${preset}`)}
          drafts={values.flatMap(({ name, value }) => {
            const definition = writable.find((one) => one.name === name);
            return definition === undefined ? [] : [{ definition, text: textOf(definition, value) }];
          })}
          {...{ isDisabled, onPreset }}
        />
      ))}
      <p className={classes.hint}>{t('presets.hint')}</p>
    </fieldset>
  );
}

interface PresetProps extends Pick<PresetsProps, 'isDisabled' | 'onPreset'> {
  readonly label: string;
  readonly drafts: readonly PresetDraft[];
}

function Preset({ label, drafts, isDisabled, onPreset }: PresetProps) {
  const [first, second] = drafts;
  // A preset has two settings at most.
  const values = [useLiveValue(first?.definition.topic ?? ''), useLiveValue(second?.definition.topic ?? '')];
  const isAwaited = drafts.some((_, at) => values[at] === undefined);
  const isInForce = drafts.every((draft, at) => isEqual(draft, values[at]?.value ?? null));
  return (
    <Button
      variant={isInForce ? 'light' : 'default'}
      aria-pressed={isInForce}
      disabled={isDisabled || isAwaited}
      onClick={() => onPreset(drafts)}
    >
      {label}
    </Button>
  );
}

function textOf(definition: MetricDefinition, value: string): string {
  const rule = ruleOf(definition);
  return rule?.kind === 'switch' ? (value === 'true' ? rule.on : rule.off) : value;
}

function isEqual({ definition, text }: PresetDraft, value: MetricValue): boolean {
  const rule = ruleOf(definition);
  if (value === null || rule === null) return false;
  return rule.kind === 'switch' ? isOn(rule, value) === (text === rule.on) : String(value) === text;
}
