import type { ConnectionSettings, DriverDescription, MachinePort } from '@heliograph/client';
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { NumberOrDefault } from '../number-or-default.tsx';
import { BusField } from './bus-field.tsx';
import { DriverField } from './driver-field.tsx';
import { ofDriver, withOption } from './edits.ts';
import { OptionField } from './option-field.tsx';

interface ConnectionFieldsProps {
  readonly connection: ConnectionSettings;
  readonly drivers: readonly DriverDescription[];
  readonly ports: readonly MachinePort[];
  /** By the names of the connection's own fields, such as `bus`. */
  readonly fields: FieldErrors;
  readonly onChange: (connection: ConnectionSettings) => void;
}

/** Everything about one connection to hardware. */
export function ConnectionFields({ connection, drivers, ports, fields, onChange }: ConnectionFieldsProps) {
  const { t } = useTranslation('configuration');
  const driver = drivers.find(({ name }) => name === connection.driver);
  const usual = driver?.usual_units.join(', ') ?? '';
  return (
    <Stack>
      <DriverField
        value={connection.driver}
        drivers={drivers}
        error={fields.driver}
        onChange={(name) => onChange(ofDriver(connection, name, drivers, ports))}
      />
      <BusField
        value={connection.bus}
        transports={driver?.transports ?? []}
        ports={ports}
        error={fields.bus}
        onChange={(bus) => onChange({ ...connection, bus })}
      />
      {driver?.has_units !== false && (
        <NumberOrDefault
          label={t('connections.unit')}
          description={
            usual === '' ? t('connections.unitWhy') : t('connections.unitWhyOften', { units: usual })
          }
          min={0}
          max={255}
          value={connection.unit}
          error={fields.unit}
          onChange={(unit) => onChange({ ...connection, unit })}
        />
      )}
      {driver?.options.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={connection.options[option.name]}
          error={fields[`options.${option.name}`]}
          onChange={(value) => onChange(withOption(connection, option.name, value))}
        />
      ))}
    </Stack>
  );
}
