import { ApiError, type ProbeBody } from '@heliograph/client';
import { Alert, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import type { FieldErrors } from '../../shared/errors/error-message.ts';
import { useConfiguration } from '../configuration/configuration-query.ts';
import { bodyOf, EVERYWHERE, type ProbeInput, TYPED } from './probe-input.ts';

const CONFLICT = 409;

interface ProbeFormProps {
  readonly start: {
    readonly submit: (body: ProbeBody) => void;
    readonly isPending: boolean;
    readonly fields: FieldErrors;
    readonly error: unknown;
  };
}

/** The place to probe, and the driver. */
export function ProbeForm({ start }: ProbeFormProps) {
  const { t } = useTranslation('configuration');
  const { ports, drivers } = useConfiguration();
  const [input, setInput] = useState<ProbeInput>({
    place: ports.length === 0 ? TYPED : EVERYWHERE,
    address: '',
    driver: '',
  });
  const isRunning = start.error instanceof ApiError && start.error.status === CONFLICT;
  const places = [
    { value: EVERYWHERE, label: t('probe.everywhere') },
    { value: TYPED, label: t('probe.typed') },
    ...ports.map(({ bus, in_use_by: user }) => ({
      value: bus,
      label: user === null ? bus : t('probe.usedPort', { bus, user }),
      disabled: user !== null,
    })),
  ];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start.submit(bodyOf(input));
      }}
    >
      <Stack>
        <Text>{t('probe.why')}</Text>
        {ports.length === 0 && <Text c="dimmed">{t('probe.noPorts')}</Text>}
        {isRunning ? (
          <Alert color="orange">{t('probe.runsAlready')}</Alert>
        ) : (
          <FormError error={start.error} />
        )}
        <NativeSelect
          label={t('probe.where')}
          value={input.place}
          {...(input.place !== TYPED && { error: start.fields.bus })}
          onChange={({ currentTarget }) => setInput({ ...input, place: currentTarget.value })}
          data={places}
        />
        {input.place === TYPED && (
          <TextInput
            label={t('connections.bus')}
            description={t('probe.addressWhy', { example: 'modbus-tcp://192.168.1.20:502' })}
            value={input.address}
            error={start.fields.bus}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setInput({ ...input, address: currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('connections.driver')}
          value={input.driver}
          error={start.fields.driver}
          onChange={({ currentTarget }) => setInput({ ...input, driver: currentTarget.value })}
          data={[
            { value: '', label: t('probe.anyDriver') },
            ...drivers.map(({ name, title }) => ({ value: name, label: title })),
          ]}
        />
        <Button type="submit" loading={start.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('probe.start')}
        </Button>
      </Stack>
    </form>
  );
}
