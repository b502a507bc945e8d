import type { DeviceConfigurationChange } from '@heliograph/client';
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useUnsentInput } from '../../shared/browser/unsent-input.ts';
import type { FieldErrors } from '../../shared/errors/error-message.ts';
import { SaveBar } from './save-bar.tsx';
import { useSaveConfiguration } from './use-save-configuration.ts';

interface SettingsFormProps {
  /** The change to save, from the current inputs. */
  readonly change: () => DeviceConfigurationChange;
  readonly onInEffect?: () => void;
  readonly children: (fields: FieldErrors) => ReactNode;
}

/** A part of the configuration with a button of its own, so that nothing else is changed with it. */
export function SettingsForm({ change, onInEffect, children }: SettingsFormProps) {
  const current = JSON.stringify(change());
  const [saved, setSaved] = useState<string>();
  // Also after a change that took effect, which can empty inputs.
  if (saved === undefined) setSaved(current);
  useUnsentInput(saved !== undefined && current !== saved);
  const { submit, isPending, fields, error, phase } = useSaveConfiguration({
    onInEffect() {
      onInEffect?.();
      setSaved(undefined);
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(change());
      }}
    >
      <Stack>
        {children(fields)}
        <SaveBar phase={phase} isPending={isPending} error={error} />
      </Stack>
    </form>
  );
}
