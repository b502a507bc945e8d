import type { ConnectionSettings, DriverDescription, DriverOption, MachinePort } from '@heliograph/client';
import { NativeSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldErrors } from '../../../shared/errors/error-message.ts';
import { OfHousehold } from '../../support/of-household.tsx';
import { useConfiguration } from '../configuration-query.ts';
import { NumberOrDefault } from '../number-or-default.tsx';
import { busFor, exampleOf, portsFor, transportOf } from './bus-address.ts';
import { ofDriver, withOption } from './edits.ts';
import { isWritingOfSupport } from './may-write.ts';

interface ConnectionFieldsProps {
  readonly connection: ConnectionSettings;
  readonly drivers: readonly DriverDescription[];
  readonly ports: readonly MachinePort[];
  /** By the names of the connection's own fields, such as `bus`. */
  readonly fields: FieldErrors;
  readonly onChange: (connection: ConnectionSettings) => void;
}

type MeterRole = NonNullable<ConnectionSettings['role']>;

/** Everything about one connection to hardware. */
export function ConnectionFields({ connection, drivers, ports, fields, onChange }: ConnectionFieldsProps) {
  const { t } = useTranslation('configuration');
  const { connections: saved } = useConfiguration();
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
      {driver?.reads_meters === true && (
        <RoleField
          value={connection.role}
          error={fields.role}
          onChange={(role) => onChange({ ...connection, role })}
        />
      )}
      {driver?.options.map((option) => {
        const field = (
          <OptionField
            key={option.name}
            option={option}
            value={connection.options[option.name]}
            error={fields[`options.${option.name}`]}
            onChange={(value) => onChange(withOption(connection, option.name, value))}
          />
        );
        if (option.name !== 'allow_writes') return field;
        return (
          <OfHousehold key={option.name} isOpen={isWritingOfSupport(connection, saved)}>
            {field}
          </OfHousehold>
        );
      })}
    </Stack>
  );
}

interface OptionFieldProps {
  readonly option: DriverOption;
  /** Undefined: what the driver does by itself. */
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** An option of a driver. Its name and description come from the device, in English. */
function OptionField({ option, value, error, onChange }: OptionFieldProps) {
  const { t } = useTranslation('configuration');
  const { name, type, choices } = option;
  const label = name.replaceAll('_', ' ');
  const description = option.description ?? '';
  switch (type) {
    case 'boolean':
      return (
        <Switch
          label={label}
          description={description}
          checked={value === true}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          label={label}
          description={description}
          value={value === undefined ? '' : String(value)}
          error={error}
          onChange={({ currentTarget }) =>
            onChange(choices.find((choice) => String(choice) === currentTarget.value))
          }
          data={[
            { value: '', label: t('connections.default') },
            ...choices.map((choice) => ({ value: String(choice), label: String(choice) })),
          ]}
        />
      );
    case 'number':
      return (
        <NumberOrDefault
          label={label}
          description={description}
          min={Number.NEGATIVE_INFINITY}
          max={Number.POSITIVE_INFINITY}
          value={typeof value === 'number' ? value : null}
          error={error}
          onChange={(number) => onChange(number ?? undefined)}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          label={label}
          description={`${description}. ${t('connections.secretKept')}`}
          value={typeof value === 'string' ? value : ''}
          error={error}
          autoComplete="off"
          onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : text)}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          description={description}
          value={typeof value === 'string' ? value : ''}
          error={error}
          onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : text)}
        />
      );
  }
}

interface RoleFieldProps {
  readonly value: ConnectionSettings['role'];
  readonly error: string | undefined;
  readonly onChange: (role: ConnectionSettings['role']) => void;
}

/** The part of the home that a meter measures for the totals. */
function RoleField({ value, error, onChange }: RoleFieldProps) {
  const { t } = useTranslation('configuration');
  const labels: Readonly<Record<MeterRole, string>> = {
    grid: t('connections.roleGrid'),
    pv: t('connections.rolePv'),
    load: t('connections.roleLoad'),
    battery: t('connections.roleBattery'),
    generator: t('connections.roleGenerator'),
  };
  const roles = Object.keys(labels) as readonly MeterRole[];
  return (
    <NativeSelect
      label={t('connections.role')}
      description={t('connections.roleWhy')}
      value={value ?? ''}
      error={error}
      onChange={({ currentTarget }) => onChange(roles.find((role) => role === currentTarget.value) ?? null)}
      data={[
        { value: '', label: t('connections.roleNone') },
        ...roles.map((role) => ({ value: role, label: labels[role] })),
      ]}
    />
  );
}

interface DriverFieldProps {
  readonly value: string;
  readonly drivers: readonly DriverDescription[];
  readonly error: string | undefined;
  readonly onChange: (driver: string) => void;
}

/** The model of the hardware, by the names printed on it. */
function DriverField({ value, drivers, error, onChange }: DriverFieldProps) {
  const { t } = useTranslation('configuration');
  const isKnown = drivers.some(({ name }) => name === value);
  return (
    <NativeSelect
      label={t('connections.driver')}
      description={t('connections.driverWhy')}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        ...(isKnown ? [] : [{ value, label: value }]),
        ...drivers.map(({ name, title }) => ({ value: name, label: title })),
      ]}
    />
  );
}

/** Labels of transports, by the scheme of their addresses. */
function useTransportLabel(): (transport: string) => string {
  const { t } = useTranslation('configuration');
  const labels: Readonly<Record<string, string>> = {
    'modbus-tcp': t('transports.modbusTcp'),
    'modbus-rtu': t('transports.modbusRtu'),
    'modbus-rtu-tcp': t('transports.modbusRtuTcp'),
    'modbus-udp': t('transports.modbusUdp'),
    solarman: t('transports.solarman'),
    serial: t('transports.serial'),
    'serial-tcp': t('transports.serialTcp'),
    hid: t('transports.hid'),
    http: t('transports.http'),
  };
  return (transport) => labels[transport] ?? (transport === '' ? t('transports.other') : transport);
}

interface BusFieldProps {
  readonly value: string;
  /** How the chosen hardware can be reached. */
  readonly transports: readonly string[];
  readonly ports: readonly MachinePort[];
  readonly error: string | undefined;
  readonly onChange: (bus: string) => void;
}

/** The transport and the address of hardware. */
function BusField({ value, transports, ports, error, onChange }: BusFieldProps) {
  const { t } = useTranslation('configuration');
  const transportLabel = useTransportLabel();
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
        data={choices.map((choice) => ({ value: choice, label: transportLabel(choice) }))}
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
