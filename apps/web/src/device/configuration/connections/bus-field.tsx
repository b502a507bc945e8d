import type { MachinePort } from '@heliograph/client';
import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { busFor, exampleOf, portsFor, transportOf } from './bus-address.ts';
import { useTransportLabel } from './use-transport-words.ts';

interface BusFieldProps {
  readonly value: string;
  /** How the chosen hardware can be reached. */
  readonly transports: readonly string[];
  readonly ports: readonly MachinePort[];
  readonly error: string | undefined;
  readonly onChange: (bus: string) => void;
}

/** Where hardware is connected: in which way, and its address there. */
export function BusField({ value, transports, ports, error, onChange }: BusFieldProps) {
  const { t } = useTranslation('configuration');
  const words = useTransportLabel();
  const list = useId();
  const transport = transportOf(value);
  const example = exampleOf(transport);
  const choices = transports.includes(transport) ? transports : [transport, ...transports];
  return (
    <>
      <NativeSelect
        label={t('connections.way')}
        value={transport}
        onChange={({ currentTarget }) => onChange(busFor(currentTarget.value, value, ports))}
        data={choices.map((choice) => ({ value: choice, label: words(choice) }))}
      />
      <TextInput
        label={t('connections.bus')}
        {...(example !== undefined && { description: t('connections.busWhy', { example }) })}
        value={value}
        error={error}
        list={list}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {portsFor(transport, ports).map(({ bus, in_use_by: user }) => (
          <option key={bus} value={bus}>
            {user === null ? bus : t('connections.usedBy', { user })}
          </option>
        ))}
      </datalist>
    </>
  );
}
