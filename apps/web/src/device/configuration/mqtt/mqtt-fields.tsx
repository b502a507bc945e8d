import { Alert, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { BrokerPassword } from './broker-password.tsx';
import type { MqttDraft } from './mqtt-draft.ts';

interface MqttFieldsProps {
  readonly draft: MqttDraft;
  /** Whether the device has one for this broker. */
  readonly hasPassword: boolean;
  readonly fields: FieldErrors;
  readonly onChange: (part: Partial<MqttDraft>) => void;
}

export function MqttFields({ draft, hasPassword, fields, onChange }: MqttFieldsProps) {
  const { t } = useTranslation('configuration');
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
  return (
    <>
      <TextInput
        {...plain}
        label={t('mqtt.url')}
        description={t('mqtt.urlWhy', { example: 'mqtt://192.168.1.5:1883' })}
        inputMode="url"
        value={draft.url}
        error={fields['mqtt.url']}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.username')}
        value={draft.username}
        error={fields['mqtt.username']}
        onChange={({ currentTarget }) => onChange({ username: currentTarget.value })}
      />
      <BrokerPassword
        value={draft.password}
        hasPassword={hasPassword}
        error={fields['mqtt.password']}
        onChange={(password) => onChange({ password })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.caFile')}
        description={t('mqtt.caFileWhy')}
        value={draft.caFile}
        error={fields['mqtt.ca_file']}
        onChange={({ currentTarget }) => onChange({ caFile: currentTarget.value })}
      />
      <Switch
        label={t('mqtt.homeAssistant')}
        description={t('mqtt.homeAssistantWhy')}
        checked={draft.homeAssistant}
        onChange={({ currentTarget }) => onChange({ homeAssistant: currentTarget.checked })}
      />
      <Switch
        label={t('mqtt.allowWrites')}
        description={t('mqtt.allowWritesWhy')}
        checked={draft.allowWrites}
        onChange={({ currentTarget }) => onChange({ allowWrites: currentTarget.checked })}
      />
      {draft.allowWrites && (
        <Alert color="orange" variant="light">
          {t('mqtt.allowWritesWarning')}
        </Alert>
      )}
      <TextInput
        {...plain}
        label={t('mqtt.topicPrefix')}
        description={t('mqtt.topicPrefixWhy')}
        value={draft.topicPrefix}
        error={fields['mqtt.topic_prefix']}
        onChange={({ currentTarget }) => onChange({ topicPrefix: currentTarget.value })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.discoveryPrefix')}
        description={t('mqtt.discoveryPrefixWhy')}
        value={draft.discoveryPrefix}
        error={fields['mqtt.discovery_prefix']}
        onChange={({ currentTarget }) => onChange({ discoveryPrefix: currentTarget.value })}
      />
    </>
  );
}
